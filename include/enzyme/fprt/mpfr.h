// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What existing code includes to compute in formats that no processor has. Rounding to those that
 * are no longer than the number's own is part of the program where it is used, and keeps nothing;
 * longer ones want -lnabla-mpfr -lmpfr -lgmp, and keep memory until all of it is given back. */
#ifndef NABLA_ENZYME_FPRT_MPFR_H
#define NABLA_ENZYME_FPRT_MPFR_H

#ifdef __cplusplus
extern "C" {
#endif

/* A number goes into memory of the format, or comes out of it. */
double __enzyme_truncate_mem_value_d(double value, int from, int exponent, int significand);
double __enzyme_expand_mem_value_d(double value, int from, int exponent, int significand);
float __enzyme_truncate_mem_value_f(float value, int from, int exponent, int significand);
float __enzyme_expand_mem_value_f(float value, int from, int exponent, int significand);

/* Of that library, where it is linked. */
extern void __nabla_mpfr_release(void) __attribute__((weak));

/* Gives back all numbers of longer formats; those of other threads, too. */
static __inline__ void __enzyme_fprt_delete_all(void) {
  if (__nabla_mpfr_release)
    __nabla_mpfr_release();
}

#ifdef __cplusplus
}
#endif
#endif

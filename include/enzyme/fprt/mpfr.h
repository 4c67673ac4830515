// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What existing code includes to compute in formats that no processor has. nabla's rounding is part
 * of the program where it is used, and keeps nothing: there is no library to link, and nothing to
 * give back. */
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

static __inline__ void __enzyme_fprt_delete_all(void) {}

#ifdef __cplusplus
}
#endif
#endif

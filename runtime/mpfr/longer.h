// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic in formats longer than a double, by MPFR: of `exponent` bits and a `significand` of so
 * many behind the leading one, with gradual underflow, infinities and NaN as IEEE 754 has them.
 * What code that was made so calls lies in a library of its own, libnabla-mpfr.a.
 *
 * A number of such a format is a double where a double holds it exactly; else its bits are those of
 * a NaN that no operation makes, with the address of the number and its sign. So it moves as
 * doubles do. Operands are rounded to the format, and the result is the exact one rounded once, to
 * the nearest, ties to even; without `memory` it is rounded to a double once more.
 *
 * Threads may share numbers. They take memory until __nabla_mpfr_release gives back all of them,
 * which nothing else may run beside. */
#ifndef NABLA_RUNTIME_MPFR_LONGER_H
#define NABLA_RUNTIME_MPFR_LONGER_H

#include <stdint.h>

/* What `function`, by its place in functions.def, gives of as many of the numbers as it takes. */
double __nabla_mpfr_compute(double x, double y, double z, int function, int exponent,
                            int significand, int memory);
/* Into the format; and out of it, to the nearest double, or float. */
double __nabla_mpfr_number(double x, int exponent, int significand, int memory);
double __nabla_mpfr_get(double x);
float __nabla_mpfr_get_float(double x);
/* Integers: towards zero where the number is none. */
double __nabla_mpfr_from_signed(int64_t x, int exponent, int significand, int memory);
double __nabla_mpfr_from_unsigned(uint64_t x, int exponent, int significand, int memory);
int64_t __nabla_mpfr_to_signed(double x);
uint64_t __nabla_mpfr_to_unsigned(double x);
/* 1, 2, 4 as x is less, equal, greater; 8 where one is NaN. */
int __nabla_mpfr_compare(double x, double y, int exponent, int significand);
/* Gives back all numbers: what still holds one may not be used. */
void __nabla_mpfr_release(void);

#endif

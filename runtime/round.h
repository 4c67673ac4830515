// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic in floating-point formats that no processor has: of `exponent` bits (2 to 11) and a
 * `significand` of 1 to 52 bits behind the leading one, with gradual underflow, infinities and NaN
 * as IEEE 754 has them. Numbers of such a format are held as doubles that are among them.
 *
 * Results are the exact ones rounded once, to the nearest, ties to even, for operands that are
 * doubles. They have rows in rules/formats.rules, so that they can be differentiated. */
#ifndef NABLA_RUNTIME_ROUND_H
#define NABLA_RUNTIME_ROUND_H

double __nabla_round(double x, int exponent, int significand);
double __nabla_round_add(double x, double y, int exponent, int significand);
double __nabla_round_sub(double x, double y, int exponent, int significand);
double __nabla_round_mul(double x, double y, int exponent, int significand);
double __nabla_round_div(double x, double y, int exponent, int significand);

#endif

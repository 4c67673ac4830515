// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The exponents of numbers, read and written by operations on their bits: fast logarithms, roots
 * and scalings. */
#include "cases.h"

#include <stdint.h>

#ifdef __cplusplus
static int exponent(real x) { return (int)floor(log2(fabs((double)VALUE(x)))); }
static int exponent_above(real x) {
  return exponent(x) + ((double)VALUE(x) / exp2(exponent(x)) >= 1.375);
}
static real mantissa(real x) { return x * (real)(exp2(-exponent(x)) * (VALUE(x) < 0 ? -1 : 1)); }
static real mantissa_above(real x) { return x * (real)exp2(-exponent_above(x)); }
static real scaled(real x, int by) { return x * (real)exp2(by); }
static real power_of(real x) { return (real)(exp2(exponent(x)) * (VALUE(x) < 0 ? -1 : 1)); }
static real at_power_of(real x, real y) { return x * (real)exp2(exponent(y) - exponent(x)); }
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Bits;
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (int64_t)0, (int32_t)0)) Signed;
enum { FRACTION = sizeof(real) == 8 ? 52 : 23, BIAS = sizeof(real) == 8 ? 1023 : 127 };
#define EXPONENT ((Bits)(2 * BIAS + 1) << FRACTION)
static Bits bits_of(real x) {
  Bits bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static real of_bits(Bits bits) {
  union {
    Bits bits;
    real number;
  } it = {bits};
  return it.number;
}
static int exponent(real x) { return (int)(bits_of(x) >> FRACTION & (2 * BIAS + 1)) - BIAS; }
static Bits above(real x) {
  return bits_of(x) - ((Bits)BIAS << FRACTION) - ((Bits)3 << (FRACTION - 3));
}
static int exponent_above(real x) { return 1 + (int)((Signed)above(x) >> FRACTION); }
static real mantissa(real x) {
  Bits fraction = bits_of(x) & (((Bits)1 << FRACTION) - 1);
  return of_bits(fraction | (Bits)BIAS << FRACTION);
}
static real mantissa_above(real x) {
  Bits raised = (above(x) & ~(((Bits)1 << FRACTION) - 1)) + ((Bits)1 << FRACTION);
  return of_bits(bits_of(x) - raised);
}
static NOINLINE real scaled(real x, int by) {
  return of_bits(bits_of(x) + ((Bits)(Signed)by << FRACTION));
}
static real power_of(real x) { return of_bits(bits_of(x) & ~(((Bits)1 << FRACTION) - 1)); }
static real at_power_of(real x, real y) {
  return of_bits((bits_of(x) & ~EXPONENT) | (bits_of(y) & EXPONENT));
}
#endif

static real series(real m) {
  real r = (m - 1) / (m + 1), s = r * r;
  return 2 * r * (1 + s * ((real)0.3333 + s * (real)0.2));
}

SCALAR1(logarithm, 3.0, 0.3) { return (real)exponent(x * x + 1) + series(mantissa(x * x + 1)); }
SCALAR1(mantissa_alone, 5.0, -0.3) { return mantissa(x - 2) * x; }
SCALAR1(logarithm_from_above, 3.0, 0.3) {
  real y = x * x + (real)1.1;
  return (real)exponent_above(y) * (real)0.6931 + series(mantissa_above(y));
}
SUM(scaled_by_integers, 3, 1.1, -2.3, 0.7) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += scaled(x[i] * x[0] + 9, i - 1) * x[i];
  return sum;
}
SCALAR2(steps, 3.3, -1.2, 0.6, 5.1) { return power_of(x + 9) * y + power_of(y - 9) * x; }
SCALAR2(at_the_other, 3.3, 1.2, -0.6, 5.1) { return at_power_of(x * y - 9, x + 10) * x; }
SUM(exponents_summed, 3, 1.1, -2.3, 0.7) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += exponent(x[i] + 7) + exponent(x[i] * x[i] + 1);
  return (real)sum * x[0] * x[1];
}

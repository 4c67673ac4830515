// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* At a number that the program tests for, the derivative is that of the branch as it is written:
 * the optimiser would put the number that was compared with in the place of x. */
#include "cases.h"

SCALAR2(equal_constant, 3.0, 2.0, 2.0, 2.0) {
  if (x == 3)
    return x * x * y;
  return x * y;
}

SCALAR2(not_equal_constant, 1.0, 2.0, 2.0, 2.0) { return x != 1 ? pow(1 + x * x, 1.5) * y : x * y; }

SCALAR2(equal_zero, 0.0, 2.0, 0.5, 2.0) {
  if (x == 0)
    return y * y + x;
  return x < 1 ? y * y + 2 * x : y;
}

SCALAR2(both_zero_and_not, 0.0, 2.0, 0.5, 2.0) {
  real none[4];
  memset(none, 0, sizeof none);
  return (x != 0 ? none[2] + x : none[2] + x) + y;
}

SCALAR1(number_or_constant, 3.0, 2.0) { return x == 3 ? 3 : x; }

SCALAR1(constant_or_number, 3.0, 2.0) { return x == 3 ? x : 3; }

SCALAR2(joined, 3.0, 2.0, 2.0, 2.0) {
  real r = 3;
  if (x != 3)
    r = x;
  return r * r * y;
}

/* As the BLAS skips what a factor of one or zero does not change. */
MAP(skipped_factors, 2, 4, 1.0, 0.0, 0.0, 1.0, 0.5, 0.7) {
  for (int i = 0; i < 4; i++) {
    real r = y[i];
    if (x[0] != 1)
      r *= x[0];
    if (x[1] != 0)
      r += x[1];
    y[i] = r;
  }
}

SCALAR2(quotient, 1.0, 2.0, 2.0, 2.0) { return x == 1 ? y / x : x; }

SCALAR1(square_or_constant, 2.0, 3.0) { return x == 2 ? 4 : x * x; }

SCALAR2(of_each_other, 2.0, 2.0, 2.0, 3.0) { return x == y ? x * y : x; }

#ifdef NB_RUN_SUBJECT_H
static NOINLINE double cubed_at_three(double x) {
  if (x == 3)
    return x * x * x;
  return x;
}

static NOINLINE double mixed_at_two(double x) {
  if (x != 2)
    return x;
  return sin(x) * x;
}

extern double __enzyme_fwddiff_double(double (*)(double), double, double);
extern double __enzyme_autodiff_double(double (*)(double), double);

static double slope_forward(double x) { return __enzyme_fwddiff_double(cubed_at_three, x, 1); }
static double slope_reverse(double x) { return __enzyme_autodiff_double(mixed_at_two, x); }

CHECK(of_second_order) {
  EXPECT(__enzyme_autodiff_double(slope_forward, 3), 18);
  EXPECT(__enzyme_fwddiff_double(slope_reverse, 2, 1), 2 * cos(2) - 2 * sin(2));
}
#endif

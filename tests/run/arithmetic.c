// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Straight-line arithmetic, comparisons, selects, casts and calls of <math.h>. */
#include "cases.h"

SCALAR1(square, 3.0, -1.5) { return x * x; }

SCALAR1(identity, 2.0) { return x; }

SCALAR1(constant, 2.0) { return x > 100 ? 2.0 : 3.0; }

SCALAR1(negated, 0.75) { return -x; }

SCALAR1(polynomial, 0.5, -2.0) { return ((2 * x - 3) * x + 5) * x - 7; }

SCALAR1(rational, 0.5, 4.0) { return (1 + x) / (1 + x * x); }

SCALAR2(product_and_quotient, 2.0, 3.0, -1.0, 0.5) { return x * y + x / y - y; }

SCALAR2(chain_of_squares, 0.3, 0.7) {
  real a = x * y;
  real b = a * a;
  real c = b * b;
  return c + a;
}

SCALAR3(three_arguments, 1.0, 2.0, 3.0) { return x * y * z + x / z; }

SCALAR3(unused_argument, 1.0, 2.0, 3.0) { return x * z + 0 * y; }

SCALAR1(relu, 2.0, -2.0) { return x > 0 ? x : 0; }

SCALAR1(relu_cubed, 2.0, -2.0) { return x > 0 ? pow(x, 3) : 0; }

SCALAR2(guarded_division, 3.0, 2.0, 3.0, -2.0) { return y != 0 ? x / y : 0; }

SCALAR2(guarded_by_branch, 3.0, 2.0) {
  if (y == 0)
    return x;
  return x / y;
}

SCALAR2(larger, 1.0, 2.0, 3.0, 2.0) { return x > y ? x : y; }

SCALAR2(smaller_of_products, 1.0, 2.0, 3.0, 2.0) { return x * x < 3 * y ? x * x : 3 * y; }

SCALAR2(library_min_max, 1.0, 2.0, 3.0, 2.5) { return fmin(x, y) + 2 * fmax(x * x, y); }

SCALAR1(absolute, 2.0, -3.0) { return fabs(x) * x; }

SCALAR2(select_of_three, 1.0, 2.0, -1.0, 2.0, 5.0, 2.0) {
  real middle = x < y ? x * y : y;
  return x < 0 ? middle * 2 : middle + x;
}

SCALAR1(through_integer, 2.75) {
  int k = (int)x;
  return x * k + k;
}

SCALAR2(from_integer, 2.75, 7.5) {
  int k = (int)(y);
  return x * (real)k + (real)(unsigned)y;
}

SCALAR1(trigonometric, 0.5, -2.0) { return sin(x) * cos(2 * x) + tan(x / 3); }

SCALAR1(exponential, 0.5, -2.0) { return exp(-x * x) + x * exp(x); }

SCALAR1(logarithmic, 0.5, 2.0) { return log(x) * sqrt(x) + log1p(x); }

SCALAR1(hyperbolic, 0.5, -1.0) { return tanh(x) + sinh(x) * cosh(x / 2); }

SCALAR2(power, 2.0, 3.5, 0.5, -1.5) { return pow(x, y); }

SCALAR1(fixed_powers, 2.0, 0.5) { return pow(x, 2) + pow(x, 3.5) + pow(2.0, x); }

SCALAR2(angles, 1.0, 2.0, -1.0, 0.5) { return atan2(x, y) + hypot(x, y) + atan(x * y); }

SCALAR2(roundings, 1.25, 2.75) { return floor(x) * y + ceil(y) * x + (y - floor(y)); }

SCALAR3(fused, 1.25, 2.75, -3.0) { return fma(x, y, z) * z; }

SCALAR2(sign_games, 1.25, -2.75, -0.5, 0.25) { return copysign(x, y) * x - fabs(y); }

SCALAR1(softplus, 0.7, -0.7) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

SCALAR1(sigmoid, 0.7, -0.7) { return 1 / (1 + exp(-x)); }

SCALAR2(comparison_as_number, 0.7, 0.3) { return x * (x > y) + y * (x <= y) + (x != y) * x * y; }

MAP(several_outputs, 3, 4, 1.0, 2.0, 3.0) {
  y[0] = x[0] * x[1] + n;
  y[1] = sin(x[2]);
  y[2] = x[0];
  y[3] = 7;
}

MAP(added_to_output, 2, 2, 1.0, 2.0) {
  y[0] += x[0] * x[1];
  y[1] *= x[0] + n;
}

TWIN(twin_product, 2, 3.0, 4.0) { return x[0] * y[0] + x[n - 1] * y[0]; }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A branch and a library call: the derivative becomes a compare and 3 * x * x, without a call. */
#include <math.h>
#include <stdio.h>

extern int enzyme_out;
double __enzyme_autodiff(void *, ...);

static double relu3(double x) { return x > 0 ? pow(x, 3) : 0; }

double relu3_slope(double x) { return __enzyme_autodiff((void *)relu3, enzyme_out, x); }

int main(void) {
  int wrong = 0;
  for (double x = -1; x <= 2; x += 0.5) {
    double expected = x > 0 ? 3 * x * x : 0;
    double slope = relu3_slope(x);
    printf("x = %4.1f   f(x) = %6.3f   f'(x) = %6.3f\n", x, relu3(x), slope);
    wrong += !(fabs(slope - expected) <= 1e-14 * expected);
  }
  return wrong != 0;
}

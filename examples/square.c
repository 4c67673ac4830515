// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }

int main(void) {
  double slope = __enzyme_autodiff((void *)square, 3.0);
  printf("f(3) = %g, f'(3) = %g\n", square(3.0), slope);
  return slope == 6.0 ? 0 : 1;
}

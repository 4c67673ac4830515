// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a format that is no constant, or one with uncommon conversions, has written is not known. */
#include <stdio.h>
extern double __enzyme_autodiff(void *, ...);

static const char *volatile format = "%lf";

static double by_variable(double x) {
  double c = x;
  sscanf("3.5", format, &c); // error: only its format tells ... [nabla: no-rule]
  return c * x;
}

static double by_position(double x) {
  double c = x;
  int end = 0;
  sscanf("3.5", "%lf%n", &c, &end); // error: only its format tells ... [nabla: no-rule]
  return c * x * end;
}

double use(double x) {
  return __enzyme_autodiff((void *)by_variable, x) + __enzyme_autodiff((void *)by_position, x);
}

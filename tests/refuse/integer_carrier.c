// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic on the bits of an active float that become a float again. */
#include <string.h>
extern double __enzyme_autodiff(void *, ...);

static double next_after(double x) {
  long bits;
  memcpy(&bits, &x, sizeof bits);
  bits = bits * 3 + 1;
  double r;
  memcpy(&r, &bits, sizeof r);
  return r * x;
}

double use(double x) { return __enzyme_autodiff((void *)next_after, x); }
// error-anywhere: [nabla: integer-carrier]

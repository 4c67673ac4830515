// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of a derivative of a loop to a fixed point. */
#include <enzyme/fixed_point.h>

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static int halve(int64_t i, double *z, double a) {
  *z = 0.5 * *z + a * a;
  return i < 60;
}
static double plain(double a) {
  double z = 0;
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, &z, // error-near: of a derivative of
                       (int64_t)8, &z, a);
  return z;
}
static double gradient(double a) { return __enzyme_autodiff((void *)plain, a); }
double forward(double a) { return __enzyme_fwddiff((void *)gradient, a, 1.0); }

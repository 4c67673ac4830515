// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Markers that are local variables; only debug information keeps their names. */
// reals: double
// differences: none
// flags: -g
#include "cases.h"

extern double __enzyme_autodiff(void *, ...);

static double quotient(double x, double y) { return x / y; }

CHECK(debug_const) {
  int enzyme_const = 0;
  EXPECT(__enzyme_autodiff((void *)quotient, 3.0, enzyme_const, 4.0), 0.25);
}

CHECK(debug_uninitialised) {
  int enzyme_out;
  int diffe_const;
  EXPECT(__enzyme_autodiff((void *)quotient, diffe_const, 3.0, enzyme_out, 2.0), -0.75);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Markers that are local variables: clang's glue keeps their names. */
// shows: a marker that is a local variable
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"

extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);

static double product(double x, double y) { return x * y + x; }
static void squares(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i];
}

CHECK(local_const) {
  int enzyme_const = 0;
  EXPECT(__enzyme_autodiff((void *)product, 3.0, enzyme_const, 4.0), 5);
}

CHECK(local_out_uninitialised) {
  int enzyme_out;
  int enzyme_const;
  EXPECT(__enzyme_autodiff((void *)product, enzyme_out, 3.0, enzyme_const, 4.0), 5);
}

CHECK(local_dup) {
  int enzyme_dup = 1;
  int enzyme_dupnoneed = 2;
  double x[2] = {3, 4};
  double dx[2] = {1, 2};
  double y[2] = {0, 0};
  double dy[2] = {9, 9};
  __enzyme_fwddiff_void((void *)squares, enzyme_dup, x, dx, enzyme_dupnoneed, y, dy, 2);
  EXPECT(dy[1], 16);
}

CHECK(local_static) {
  static int enzyme_const;
  EXPECT(__enzyme_autodiff((void *)product, enzyme_const, 3.0, 4.0), 3);
}

CHECK(local_in_blocks) {
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    int enzyme_const;
    int diffe_out = 7;
    if (i)
      sum += __enzyme_autodiff((void *)product, enzyme_const, 3.0, diffe_out, 4.0);
  }
  EXPECT(sum, 3);
}

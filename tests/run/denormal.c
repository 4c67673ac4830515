// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tangents and adjoints so small that their bits could be those of an address. */
// reals: double
// differences: none
// split: none
#include "cases.h"

extern int enzyme_const, enzyme_dup;
extern void __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff(void *, ...);

enum { SIZE = 3 };

static void moved(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = x[i];
}

static const double x[SIZE] = {1, 2, 3}, small[SIZE] = {1e-310, 2e-310, 6.9e-310};

/* -ffast-math links what flushes them to zero. */
#ifdef __FAST_MATH__
static const double lost = 1e-300;
#else
static const double lost = 0;
#endif

CHECK(small_tangents) {
  double y[SIZE], dy[SIZE];
  __enzyme_fwddiff((void *)moved, enzyme_dup, x, small, enzyme_dup, y, dy, enzyme_const, SIZE);
  for (int i = 0; i < SIZE; i++)
    EXPECT(fabs(dy[i] - small[i]) <= lost, 1);
}

CHECK(small_adjoints) {
  double y[SIZE], dx[SIZE] = {0}, dy[SIZE];
  memcpy(dy, small, sizeof dy);
  __enzyme_autodiff((void *)moved, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, SIZE);
  for (int i = 0; i < SIZE; i++)
    EXPECT(fabs(dx[i] - small[i]) <= lost, 1);
}

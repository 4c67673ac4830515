// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bits of a number are computed with as those of an integer, and that is chosen: the run says
// so. Where the optimiser computes with them and then chooses something else, it does not.
// RUN: %clang -O0 -DWRONG %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O1 -DWRONG %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 -DWRONG %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O0 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// CHECK: 'f' computes with the bits of a number
// RIGHT: 2 0 6
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef union {
  double number;
  long count;
} Either;

static double f(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    Either e;
    if (x[i] != 2)
      e.number = x[i] * x[i];
    else
      e.count = 7 * i;
#ifdef WRONG
    sum += x[i] > 0.5 ? (double)e.count : e.number;
#else
    sum += x[i] == 2 ? (double)e.count : e.number;
#endif
  }
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}

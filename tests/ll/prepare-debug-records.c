// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With full debug information, what prepare writes at the start of a block stands before its
// records. RUN: %clang -O2 -g -S -emit-llvm %s -o - | FileCheck %s
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

static double first_large(const double *x, int n) {
  double *twice = malloc((size_t)n * sizeof *twice);
  for (int i = 0; i < n; i++) {
    twice[i] = x[i] * 2;
    if (twice[i] > 2.5) {
      double r = twice[i] * twice[0];
      free(twice);
      return r;
    }
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += twice[i] * twice[n - 1 - i];
  free(twice);
  return sum;
}

// CHECK: @gradient(
void gradient(const double *x, double *dx, int n) {
  __enzyme_autodiff((void *)first_large, x, dx, n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The address of memory that holds integers at one time and numbers at another may be looked at, as
// sanitizers do.
// RUN: %clang -O0 -g -fsanitize=undefined %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -g -fsanitize=undefined %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 -g -fsanitize=undefined %s -lm -o %t && %t | FileCheck %s
// CHECK: 3 5
#include <stdio.h>

void __enzyme_autodiff(void *, ...);

typedef struct {
  int kind;
  union {
    double d;
    long i;
  } u;
} Value;

static double f(const double *x) {
  Value v[2];
  double s = 0;
  v[0].kind = 0;
  v[0].u.d = x[0];
  v[1].kind = 1;
  v[1].u.i = 3;
  for (int k = 0; k < 2; k++)
    s += v[k].kind ? (double)v[k].u.i * x[1] : v[k].u.d * x[1];
  return s;
}

int main(void) {
  double x[2] = {2, 3}, d[2] = {0};
  __enzyme_autodiff((void *)f, x, d);
  printf("%g %g\n", d[0], d[1]);
}

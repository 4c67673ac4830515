// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower halves of numbers in a union are exchanged as integers: the run says so.
// RUN: %clang -O0 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O1 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// CHECK: 'f' computes with the bits of a number
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef union {
  double number;
  struct {
    int low, high;
  } half;
} Halves;

static __attribute__((noinline)) void exchange(Halves *a, Halves *b) {
  int low = a->half.low;
  a->half.low = b->half.low;
  b->half.low = low;
}

static double f(const double *x, int n) {
  Halves h[3];
  double sum = 0;
  for (int i = 0; i < 3; i++)
    h[i].number = x[i];
  for (int i = 0; i < n; i++)
    exchange(&h[i % 3], &h[(i + 1) % 3]);
  for (int i = 0; i < 3; i++)
    sum += h[i].number * h[i].number * i;
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
}

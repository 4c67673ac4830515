// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An integer is stored into the half of a number that has no value yet: what nabla's own functions
 * are handed then may be anything, and is no reason to take the loop for one that cannot run. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t && %t | FileCheck %s
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
  union {
    double number;
    int count;
  } either;
  char counts;
} Either;

static Either make(double number, int i) {
  Either e;
  if (i % 2) {
    e.either.number = number;
    e.counts = 0;
  } else {
    e.either.count = i;
    e.counts = 1;
  }
  return e;
}

static double sum(const double *x, int n) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    Either e = make(x[0], i);
    total += e.counts ? e.either.count : e.either.number;
  }
  return total;
}

int main(void) {
  double x = 1.5, d = 0, t = 1;
  __enzyme_autodiff((void *)sum, enzyme_dup, &x, &d, enzyme_const, 5);
  printf("%g %g\n", d, __enzyme_fwddiff((void *)sum, enzyme_dup, &x, &t, enzyme_const, 5));
}
// CHECK: 2 2

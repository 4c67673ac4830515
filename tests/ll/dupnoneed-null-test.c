// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An output that is asked for by its shadow alone: where the function tests whether the output is
// there, the shadow tells.
// RUN: %clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %s -o %t && %t | FileCheck %s
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_width;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void put(double *to, double value) {
  if (to == NULL)
    return;
  *to = value;
}

static void statistics(const double *x, int n, double *mean, double *squares) {
  double sum = 0, square = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    square += x[i] * x[i];
  }
  if (mean)
    *mean = sum / n;
  put(squares, square);
}

int main(void) {
  double x[2] = {1, 3}, d[2] = {0}, mean = 1, squares = 1;
  __enzyme_autodiff((void *)statistics, enzyme_dup, x, d, enzyme_const, 2, enzyme_dupnoneed, NULL,
                    &mean, enzyme_dupnoneed, NULL, &squares);
  printf("both %g %g\n", d[0], d[1]);
  // CHECK: both 2.5 6.5
  d[0] = d[1] = 0;
  mean = 1;
  __enzyme_autodiff((void *)statistics, enzyme_dup, x, d, enzyme_const, 2, enzyme_dupnoneed, NULL,
                    &mean, enzyme_dupnoneed, NULL, NULL);
  printf("the first %g %g\n", d[0], d[1]);
  // CHECK: the first 0.5 0.5
  d[0] = d[1] = 0;
  squares = 1;
  double there = 0;
  __enzyme_autodiff((void *)statistics, enzyme_dup, x, d, enzyme_const, 2, enzyme_const, NULL,
                    enzyme_dupnoneed, &there, &squares);
  printf("the second %g %g\n", d[0], d[1]);
  // CHECK: the second 2 6

  d[0] = 1;
  d[1] = 2;
  __enzyme_fwddiff((void *)statistics, enzyme_dup, x, d, enzyme_const, 2, enzyme_dupnoneed, NULL,
                   &mean, enzyme_dupnoneed, NULL, &squares);
  printf("forward %g %g\n", mean, squares);
  // CHECK: forward 1.5 14
  double other[2] = {0, 1}, means[2], many[2];
  __enzyme_fwddiff((void *)statistics, enzyme_width, 2, enzyme_dup, x, d, other, enzyme_const, 2,
                   enzyme_dupnoneed, NULL, &means[0], &means[1], enzyme_dupnoneed, NULL, &many[0],
                   &many[1]);
  printf("two directions %g %g %g %g\n", means[0], means[1], many[0], many[1]);
  // CHECK: two directions 1.5 0.5 14 6

  d[0] = d[1] = 0;
  mean = squares = 1;
  void *tape = __enzyme_augmentfwd((void *)statistics, enzyme_dup, x, d, enzyme_const, 2,
                                   enzyme_dupnoneed, NULL, &mean, enzyme_dupnoneed, NULL, &squares);
  __enzyme_reverse((void *)statistics, enzyme_dup, x, d, enzyme_const, 2, enzyme_dupnoneed, NULL,
                   &mean, enzyme_dupnoneed, NULL, &squares, tape);
  printf("split %g %g\n", d[0], d[1]);
  // CHECK: split 2.5 6.5
  return 0;
}

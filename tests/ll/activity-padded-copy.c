// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs with padding are exchanged through a local copy that holds only numbers: the padding,
// which optimised code copies as integers, is no number.
// RUN: %clang -O2 %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O3 %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O3 -ffast-math %s -o %t -lm && %t | FileCheck %s
// CHECK: 1.2 2.4 3.6
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

typedef struct {
  float a[3];
  double b[3];
} Padded;

static void exchange(Padded *u, Padded *v) {
  Padded t = *u;
  *u = *v;
  *v = t;
}

static double f(const double *x) {
  Padded *v = calloc(3, sizeof *v);
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      v[i].a[k] = (float)x[k];
    memcpy(v[i].b, x, sizeof v[i].b);
  }
  for (int k = 0; k < 5; k++) {
    exchange(&v[k % 3], &v[(k + 1) % 3]);
    exchange(&v[k % 3], &v[(k + 1) % 3]);
    Padded t = v[k % 3];
    t.b[k % 3] = t.a[k % 3];
    v[(k + 1) % 3] = t;
  }
  for (int i = 0; i < 3; i++)
    for (int q = 0; q < 3; q++)
      sum += 0.1 * v[i].a[q] * v[i].a[q] + 0.1 * v[i].b[q] * v[i].b[q];
  free(v);
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, x, dx);
  printf("%.6g %.6g %.6g\n", dx[0], dx[1], dx[2]);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers are copied over structs of integers, whose members are moved one by one.
// RUN: %clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// CHECK: 0 4 12
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef struct {
  int low, high;
} Halves;

static void move(Halves *to, const Halves *from) {
  to->low = from->low;
  to->high = from->high;
}

static double f(const double *x, int n) {
  char *pool = malloc(4096);
  Halves *a = (Halves *)pool, *b = a + n;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double square = x[i] * x[i];
    memcpy(&a[i], &square, sizeof square);
  }
  for (int i = 0; i < n; i++)
    move(&b[i], &a[i]);
  for (int i = 0; i < n; i++) {
    double number;
    memcpy(&number, &b[i], sizeof number);
    sum += number * i;
  }
  free(pool);
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number lies over two fields of a struct that has an array of shorter floats, which an index
// reaches: the struct's declaration does not tell what a copy of it moves.
// RUN: not %clang -O0 -gline-tables-only %s -o %t 2>&1 | FileCheck %s
// CHECK: types-number-over-fields.c:[[# @LINE + 15]]:{{.*}} [nabla: unknown-type]
#include <string.h>

double __enzyme_autodiff(void *, ...);

typedef struct {
  float values[3];
  int count;
} Record;

static double f(const double *x, int n) {
  Record records[3];
  double sum = 0, number;
  memset(records, 0, sizeof records);
  for (int i = 0; i < 3; i++)
    memcpy(&records[i].values[2], &x[i], 8);
  for (int i = 0; i < n; i++)
    records[i % 3].values[i % 2] += records[(i + 1) % 3].values[0];
  for (int i = 0; i < n; i++) {
    Record t = records[i % 3];
    t.values[i % 2] *= 2;
    records[(i + 1) % 3] = t;
  }
  for (int i = 0; i < 3; i++) {
    memcpy(&number, &records[i].values[2], 8);
    sum += number * number;
  }
  return sum;
}

double derivative(double *x, double *dx) { return __enzyme_autodiff((void *)f, x, dx, 2); }

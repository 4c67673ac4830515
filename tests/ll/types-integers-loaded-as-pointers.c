// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unions that begin with a pointer are handed on by value as one: what is taken for an integer then
 * is one all the same, and a number for its tag. */
// RUN: %clang -O1 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t && %t | FileCheck %s
#include <stdio.h>

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
  int tag;
  union {
    const char *text;
    unsigned integer;
    double number;
  } as;
} Value;

static inline double number_of(Value value) {
  return value.tag ? value.as.number : value.as.integer;
}

typedef struct {
  Value values[3];
  int count;
} Row;

static double rows(const double *x) {
  Row rows[2];
  Value value;
  for (int i = 0; i < 2; i++) {
    rows[i].count = 0;
    for (int k = 0; k < 3; k++) {
      value.tag = (i + k) % 2 == 0;
      if (value.tag)
        value.as.number = x[k % 2] * x[1];
      else
        value.as.integer = i + k;
      rows[i].values[rows[i].count++] = value;
    }
  }
  Row first = rows[0];
  rows[0] = rows[1];
  rows[1] = first;
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < rows[i].count; k++)
      sum += number_of(rows[i].values[k]) * (i + 1) * x[k % 2];
  return sum;
}

int main(void) {
  double x[2] = {2, 3}, dx[2] = {0}, directions[2][2] = {{1, 0}, {0, 1}};
  __enzyme_autodiff((void *)rows, enzyme_dup, x, dx);
  for (int i = 0; i < 2; i++)
    printf("%g %g\n", dx[i], __enzyme_fwddiff((void *)rows, enzyme_dup, x, directions[i]));
}
// CHECK: 52 52
// CHECK: 45 45

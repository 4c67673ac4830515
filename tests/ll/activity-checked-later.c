// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of a number are computed with as integers, some blocks before the choice that throws that
// away: nothing was lost.
// RUN: %clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// CHECK: 4 1 4 4
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;

typedef union {
  double number;
  struct {
    int a, b;
  } pair;
} Cell;

int many;

static double either(double x, int kind) {
  Cell cell;
  if (kind == 1) {
    cell.pair.a = 3;
    cell.pair.b = kind;
  } else {
    cell.number = x;
  }
  int a = cell.pair.a, b = cell.pair.b;
  if (kind > 2)
    many++;
  double scaled = 0.5 * (a - b) * x;
  return kind == 1 ? scaled : x * x;
}

int main(void) {
  for (int kind = 0; kind < 4; kind++)
    printf("%g ", __enzyme_autodiff((void *)either, 2.0, enzyme_const, kind));
  puts("");
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is copied from memory of the caller's, and may be numbers or pointers: adjoints that are in
// its shadow already stay as they are.
// REQUIRES: llvm-22
// RUN: %clang -gline-tables-only -O1 %s -o %t && %t | FileCheck %s
// RUN: %clang -gline-tables-only -O2 %s -o %t && %t | FileCheck %s
// RUN: %clang -gline-tables-only -O3 %s -o %t && %t | FileCheck %s
// CHECK: 1001 102 2000.5 3004
#include <stdio.h>
#include <string.h>

typedef struct {
  union {
    double number;
    double *pointer;
  } u;
  long is_number;
} Either;

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

double f(const Either *given, int count) {
  Either own[4];
  double sum = 0;
  memcpy(own, given, sizeof own);
  for (int i = 0; i < count; i++)
    sum += own[i].is_number ? own[i].u.number * own[i].u.number : *own[i].u.pointer * 2;
  return sum;
}

int main(void) {
  double y = 3, dy = 100;
  Either given[4] = {{{.number = 0.5}, 1}, {{.pointer = &y}, 0}, {{0.25}, 1}, {{2}, 1}};
  Either shadow[4] = {{{1000}, 0}, {{.pointer = &dy}, 0}, {{2000}, 0}, {{3000}, 0}};
  __enzyme_autodiff((void *)f, enzyme_dup, given, shadow, enzyme_const, 4);
  printf("%g %g %g %g\n", shadow[0].u.number, dy, shadow[2].u.number, shadow[3].u.number);
  return 0;
}

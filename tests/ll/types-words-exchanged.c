// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs of a number and an integer are exchanged word by word: their words have the type of an
// integer, and may be numbers.
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %s -o %t && %t | FileCheck %s
// CHECK: 0 4 8
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef struct {
  double number;
  long key;
} Item;

static void exchange(void *a, void *b, unsigned long size) {
  long *p = a, *q = b;
  for (size /= sizeof(long); size--;) {
    long t = *p;
    *p++ = *q;
    *q++ = t;
  }
}

static double f(const double *x, int n) {
  Item items[3];
  double sum = 0;
  for (int i = 0; i < n; i++)
    items[i] = (Item){x[i], i};
  for (int i = 0; i < n / 2; i++)
    exchange(&items[i], &items[n - 1 - i], sizeof items[0]);
  for (int i = 0; i < n; i++)
    sum += items[i].number * items[i].number * (double)items[i].key;
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 2}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
}

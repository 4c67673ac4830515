// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number is copied into fields that are integers, by their declaration and by every access to
// them, and put together again. Where its parts are moved one by one the run says so, and at which
// line where lines are known; bytes that a loop moves are moved as a whole.
// RUN: %clang -O0 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O1 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O0 -DELEMENTS %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -g1 -O0 %s -o %t && not --crash %t 2>&1 | FileCheck --check-prefix=LINE %s
// RUN: %clang -O0 -DBYTES %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// CHECK: computes with the bits of a number
// LINE: '{{.*}}' (types-split-number.c:{{[0-9]+}}) computes with the bits of a number
// RIGHT: 8 16 24
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef struct Message {
  double numbers[3];
#ifdef BYTES
  char parts[8];
#else
  int parts[2];
#endif
  int low, high;
} Message;

static double unpack(const Message *m) {
  double number;
#ifdef BYTES
  for (int k = 0; k < 8; k++)
    ((char *)&number)[k] = m->parts[k];
#elif defined(ELEMENTS)
  int halves[2] = {m->parts[0], m->parts[1]};
  memcpy(&number, halves, 8);
#else
  int halves[2] = {m->low, m->high};
  memcpy(&number, halves, 8);
#endif
  return number;
}

static double f(const double *x, int n) {
  Message *m = malloc(sizeof *m);
  double sum = 0;
  for (int i = 0; i < n; i++)
    m->numbers[i] = 2 * x[i];
  for (int i = 0; i < n; i++) {
    memcpy(m->parts, &m->numbers[i], 8);
    memcpy(&m->low, &m->numbers[i], 8);
    double number = unpack(m);
    sum += number * number;
  }
  free(m);
  return sum;
}

int main(void) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}

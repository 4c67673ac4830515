// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The optimiser joins the halves of a number with the integers that a union holds at other times.
// They are told apart where the integers are computed with; with -DWRONG the bits are, and the run
// says so.
// RUN: %clang -O0 -DWRONG %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 -DWRONG %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O0 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O1 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O3 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// CHECK: 'f' computes with the bits of a number
// RIGHT: 2 2.6 3
#include <stdio.h>
#include <string.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef union {
  double number;
  struct {
    int a, b;
  } pair;
} Either;

static double f(const double *x, int n) {
  Either e[3];
  int kind[3];
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    kind[i] = (i + n) % 3 == 1;
    if (!kind[i]) {
      e[i].number = x[i] * x[i] / (i + 1);
    } else {
      e[i].pair.a = i + n;
      e[i].pair.b = 3 * n;
    }
  }
#ifdef WRONG
  kind[2] = 1;
#endif
  memmove(e, e + 1, 2 * sizeof *e);
  memmove(kind, kind + 1, 2 * sizeof *kind);
  e[2].number = x[0] * x[0];
  kind[2] = 0;
  for (int i = 0; i < 3; i++)
    sum += kind[i] ? 0.2 * (e[i].pair.a + e[i].pair.b) * x[1] : e[i].number;
  return sum;
}

int main(int count, char **arguments) {
  (void)arguments;
  double x[3] = {1, 2, 4.5}, dx[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3 * count);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  return 0;
}

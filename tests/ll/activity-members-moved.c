// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers are copied over structs of integers, whose members are moved one by one: the run says so,
// or the compiler where it sees it.
// RUN: not %clang -O0 -gline-tables-only %s -o %t 2>&1 | FileCheck --check-prefix=SEEN %s
// SEEN: activity-members-moved.c:[[@LINE+16]]:{{.*}}[nabla: part-of-number]
// RUN: %clang -O1 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// CHECK: 'f' computes with the bits of a number
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
}

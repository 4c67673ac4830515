// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What several loops in a row read of an allocated object, in any order, is kept as one copy of the
 * object; the last of them may overwrite each element behind its reading it. Not where something is
 * written in between. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -mllvm \
// RUN:   -nabla-without=snapshot -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WITHOUT
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void in_a_row(int n, int steps, const int *restrict at, const double *restrict x,
                     double *restrict sums) {
  double *u = malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  for (int t = 0; t < steps; t++) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
      sum += u[at[i]] * u[at[i]];
    for (int i = 0; i < n; i++)
      squares += u[i] * u[i];
    for (int i = 0; i < n; i++)
      u[i] = u[i] * u[i] * 0.1;
    sums[t] = sum * squares;
  }
  free(u);
}
// CHECK-LABEL: plan @in_a_row
// CHECK-NOT:     load double
// CHECK:         store ptr {{.*}}@__nabla_tape_allocate
// CHECK-NOT:     store double {{.*}}load double
// CHECK-LABEL: plan @in_between
// WITHOUT-LABEL:   plan @in_a_row
// WITHOUT-COUNT-3: store double {{.*}}load

static void in_between(int n, int steps, const int *restrict at, const double *restrict x,
                       double *restrict sums) {
  double *u = malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    u[i] = x[i];
  for (int t = 0; t < steps; t++) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
      sum += u[at[i]] * u[at[i]];
    u[at[t]] = 0;
    for (int i = 0; i < n; i++)
      squares += u[i] * u[i];
    sums[t] = sum * squares;
  }
  free(u);
}
// CHECK-COUNT-2: store double {{.*}}load

void reverse(int n, int steps, const int *at, const double *x, double *dx, double *sums,
             double *dsums) {
  __enzyme_autodiff((void *)in_a_row, enzyme_const, n, enzyme_const, steps, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, sums, dsums);
  __enzyme_autodiff((void *)in_between, enzyme_const, n, enzyme_const, steps, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, sums, dsums);
}

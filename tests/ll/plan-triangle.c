// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where a pointer stands that walks through a triangle is a polynomial of the row, and is not kept;
 * but it is where a row may be left out that adds something. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static double triangle(const double *restrict a, const double *restrict x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      sum += *a++ * x[j];
  return sum;
}
// CHECK-LABEL: plan @triangle
// CHECK-NOT:     store ptr
// CHECK-LABEL: plan @rows
// CHECK:         store ptr

static double rows(const double *restrict a, const double *restrict x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = i + 2; j < n; j++)
      sum += *a++ * x[j];
  return sum;
}

void use(double *a, double *da, double *x, double *dx, int n) {
  __enzyme_autodiff((void *)triangle, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_const, n);
  __enzyme_autodiff((void *)rows, enzyme_dup, a, da, enzyme_dup, x, dx, enzyme_const, n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The reverse sweep goes down the rows, which lie apart by a distance that is known only at run
 * time: the rows' number is frozen for the loop over a row, so that the vectoriser does not test
 * once for all rows, and fail because they go down. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=nabla -S %t.ll | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static double rows(long n, long m, const double *a, const double *x) {
  double sum = 0;
  for (long i = 0; i < n; i++) {
    double product = 0;
    for (long j = 0; j < m; j++)
      product += a[i * m + j] * x[j];
    sum += product * product;
  }
  return sum;
}
// CHECK-LABEL: define internal {{.*}}@nabla.{{combined|choice}}.rows(
// CHECK:         %[[ROW:counter.*]] = add i64 {{.*}}, -1
// CHECK-NEXT:    freeze i64 %[[ROW]]

void reverse(long n, long m, const double *a, double *da, const double *x, double *dx) {
  __enzyme_autodiff((void *)rows, enzyme_const, n, enzyme_const, m, enzyme_dup, a, da, enzyme_dup,
                    x, dx);
}

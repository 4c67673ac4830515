// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A loop that reads what it has left behind it reads that again in the reverse sweep; one that runs
 * again, or reads what lies ahead, keeps it. */
// RUN: %clang -O1 -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

// CHECK-LABEL: plan @{{.*}}built
// CHECK-NOT:     store double
void built(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i] = x[i - 1] * x[i - 1];
}

// CHECK-LABEL: plan @{{.*}}ahead
// CHECK:         store double
void ahead(double *x, int n) {
  for (int i = 1; i < n; i++)
    x[i - 1] = x[i] * x[i];
}

// CHECK-LABEL: plan @{{.*}}again
// CHECK:         store double
void again(double *x, int n, int rounds) {
  for (int k = 0; k < rounds; k++)
    for (int i = 1; i < n; i++)
      x[i] = x[i - 1] * x[i - 1];
}

void gradients(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)built, x, dx, enzyme_const, n);
  __enzyme_autodiff((void *)ahead, x, dx, enzyme_const, n);
  __enzyme_autodiff((void *)again, x, dx, enzyme_const, n, enzyme_const, n);
}

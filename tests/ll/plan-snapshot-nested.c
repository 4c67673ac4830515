// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A gradient that keeps copies of arrays, and chooses between two versions, has a derivative. */
// RUN: %clang -O2 -c %s -o %t.o 2>&1 | FileCheck --allow-empty %s
// CHECK-NOT: error
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void diffuse(int n, int steps, double *u, double *v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < n - 1; j++)
        v[i * n + j] = u[i * n + j] * u[i * n + j + 1] * u[i * n + j + n];
    for (int i = 0; i < n * n; i++)
      u[i] += v[i];
  }
}

static void gradient(int n, double *u, double *du, double *v, double *dv) {
  __enzyme_autodiff((void *)diffuse, enzyme_const, n, enzyme_const, n, enzyme_dup, u, du,
                    enzyme_dup, v, dv);
}

void product(int n, double *u, double *tu, double *du, double *tdu, double *v, double *tv,
             double *dv, double *tdv) {
  __enzyme_fwddiff((void *)gradient, enzyme_const, n, enzyme_dup, u, tu, enzyme_dup, du, tdu,
                   enzyme_dup, v, tv, enzyme_dup, dv, tdv);
}

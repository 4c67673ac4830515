// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a loop nest reads of an array that is overwritten later is kept once: u[i], u[i + 1] and the
 * row below as one array, and a[j] as m values, not n * m. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -mllvm \
// RUN:   -nabla-without=snapshot -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WITHOUT
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void diffuse(int n, int steps, double *restrict u, double *restrict v) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < n - 1; j++)
        v[i * n + j] = u[i * n + j] * u[i * n + j + 1] * u[i * n + j + n];
    for (int i = 0; i < n * n; i++)
      u[i] += v[i];
  }
}
// CHECK-LABEL: plan @diffuse
// CHECK:         store ptr {{.*}}@__nabla_tape_allocate
// CHECK-NOT:     store double
// CHECK-LABEL: plan @repeat
// WITHOUT-LABEL:   plan @diffuse
// WITHOUT-COUNT-3: store double {{.*}}load
// WITHOUT-LABEL:   plan @repeat
// WITHOUT:         store double {{.*}}load

static void repeat(int n, int m, double *restrict a, double *restrict sums) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sums[i] += a[j] * a[j];
  for (int j = 0; j < m; j++)
    a[j] = 0;
}
// CHECK:         store ptr {{.*}}@__nabla_tape_allocate
// CHECK-NOT:     store double

void gradients(int n, double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)diffuse, enzyme_const, n, enzyme_const, n, x, dx, y, dy);
  __enzyme_autodiff((void *)repeat, enzyme_const, n, enzyme_const, n, x, dx, y, dy);
}

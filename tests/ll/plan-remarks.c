// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* -Rpass=nabla: what is kept, why, and what could be written instead. */
// RUN: %clang -O2 -gline-tables-only -Rpass=nabla -c %s -o %t.o 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void weigh(int n, double *state, const double *weights) {
  for (int i = 0; i < n; i++)
    state[i] = state[i] * weights[i];
}
// CHECK-DAG: [[@LINE-2]]:{{.*}}remark: 8 bytes {{.*}}by the store in line [[@LINE-2]] before
// CHECK-DAG: [[@LINE-3]]:{{.*}}remark: 8 bytes {{.*}}line [[@LINE-3]], {{.*}}declare them restrict

static double power(int n, double x) {
  double y = x;
  for (int i = 0; i < n; i++)
    y = y * y + x;
  return y;
}
// CHECK-DAG: remark: 8 bytes are kept {{.*}}each iteration computes it from the one before

double gradients(int n, double *s, double *ds, double *w, double *dw) {
  __enzyme_autodiff((void *)weigh, enzyme_const, n, s, ds, w, dw);
  double __enzyme_autodiff_number(void *, ...);
  return __enzyme_autodiff_number((void *)power, enzyme_const, n, 1.5);
}

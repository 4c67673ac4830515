// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the optimiser moved out of a loop stays out of it: the gradient is linear, since no loop
 * stands in another one. */
// RUN: %clang -O2 -fno-vectorize -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
double sqrt(double);
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

__attribute__((pure, noinline)) static double mag(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[i] * in[i];
  return sqrt(sum);
}

static void norm(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] / mag(in, n);
}

void gradient(double *out, double *d_out, const double *in, double *d_in, int n) {
  __enzyme_autodiff((void *)norm, enzyme_dup, out, d_out, enzyme_dup, in, d_in, enzyme_const, n);
}
// Each of the two sweeps has the call before or behind its one loop.
// CHECK:         {{^ .*}}call {{.*}}@nabla.augmented.mag(
// CHECK:         = phi i64
// CHECK-NOT:     call {{.*}}@nabla.{{augmented|reverse}}.mag(
// CHECK:         = phi i64
// CHECK-NOT:     call {{.*}}@nabla.augmented.mag(
// CHECK:         call {{.*}}@nabla.reverse.mag(
// CHECK-NOT:     = phi
// CHECK:         ret void

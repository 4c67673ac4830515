// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The tangent of a tangent of a function that allocates: what the inner one calls of the runtime is
 * there when the outer one is made. */
// RUN: %clang -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: declare {{.*}}@__nabla_
void *malloc(unsigned long);
void free(void *);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;

static double product(double x, int n) {
  double *a = malloc((unsigned long)n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i ? a[i - 1] * x : x;
  double last = a[n - 1];
  free(a);
  return last;
}
static double tangent(double x, int n) {
  return __enzyme_fwddiff((void *)product, x, 1.0, enzyme_const, n);
}
double second(double x, int n) {
  return __enzyme_fwddiff((void *)tangent, x, 1.0, enzyme_const, n);
}

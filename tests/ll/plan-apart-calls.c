// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How far a recursion goes is found out by a run of it without its numbers, in which equal calls
 * are one. Where memory lies apart then, callees know, and nothing is kept; nor is it where what a
 * call passes is seen to lie apart. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -emit-llvm -S %s \
// RUN:   -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CODE < %t.ll
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void halves(const double *w, double *z, int n) {
  if (n <= 1)
    return;
  halves(w, z, n / 2);
  halves(w, z + n / 2, n / 2);
  for (int i = 0; i < n / 2; i++)
    z[i] += w[i] * z[i + n / 2];
}
// CHECK-LABEL: plan @halves
// CHECK:         store double
// CHECK-LABEL: plan @halves
// CHECK:         store double
// CHECK-LABEL: plan @halves
// CHECK-NOT:     {{^}}  store
// CHECK-LABEL: plan @halves
// CHECK-NOT:     {{^}}  store
// CHECK-LABEL: plan @steps
// CHECK-NOT:     store double
// CHECK-LABEL: plan @fresh

// CODE-LABEL: define internal {{.*}} @nabla.reach.halves(
// CODE:         call {{.*}} @nabla.reach.halves(
// CODE-NOT:     call {{.*}} @nabla.reach.halves(
// CODE-LABEL: define internal {{.*}} @nabla.choice.halves(

static void steps(double *w, double *z, int n) {
  if (n == 0)
    return;
  steps(w, z, n - 1);
  z[0] *= w[0];
  steps(w, z + 1, n / 2);
}

static void fresh(double *z, int n) {
  double *w = malloc(sizeof *w);
  *w = 2.5;
  steps(w, z, n);
  free(w);
}

void use(double *w, double *z, double *dz, int n) {
  __enzyme_autodiff((void *)halves, enzyme_const, w, enzyme_dup, z, dz, enzyme_const, n);
  __enzyme_autodiff((void *)fresh, enzyme_dup, z, dz, enzyme_const, n);
}

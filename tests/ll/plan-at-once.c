// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Nothing is kept of a call whose callee only computes from what stays as it is: its derivative
 * runs as one in the reverse sweep, and the forward sweep does not call it at all where only the
 * sum of the results is asked for. */
// RUN: %clang -O2 -gline-tables-only -fno-discard-value-names -mllvm -nabla-print=plan \
// RUN:   -Rpass=nabla -emit-llvm -S %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=CODE < %t.ll
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -mllvm \
// RUN:   -nabla-without=combine -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -mllvm \
// RUN:   -nabla-max-tape=1G -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WITHOUT
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static int count;

static __attribute__((noinline)) double winding(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++)
    s = s * x[i] + 0.5 * s * s;
  return s;
}

static __attribute__((noinline)) double counted(const double *x, int n) {
  count++;
  return winding(x, n);
}

static double sum(const double *x, int n) {
  double s = 0;
  for (int k = 1; k < n; k++)
    s += winding(x, k);
  return s;
}
// CHECK-LABEL:   plan @sum
// CHECK-NOT:       store
// CHECK:         plan-at-once.c:[[@LINE-5]]:{{.*}}: remark: nothing is kept of 'winding'
// WITHOUT-LABEL: plan @sum
// WITHOUT:         store {{.*}} a callee's tape

static double sum_of_counted(const double *x, int n) {
  double s = 0;
  for (int k = 1; k < n; k++)
    s += counted(x, k);
  return s;
}
// CHECK-LABEL:   plan @sum_of_counted
// CHECK:           store {{.*}} a callee's tape

static double sum_before(double *x, int n) {
  double s = 0;
  for (int k = 1; k < n; k++)
    s += winding(x, k);
  for (int k = 0; k < n; k++)
    x[k] = 0;
  return s;
}
// CHECK-LABEL:   plan @sum_before
// CHECK:           store {{.*}} a callee's tape

// CODE-LABEL: define {{.*}}@gradient(
// CODE-NOT:     call {{.*}}@winding
// CODE:       {{^}$}}
void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sum, x, dx, enzyme_const, n);
}

void others(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)sum_of_counted, x, dx, enzyme_const, n);
  __enzyme_autodiff((void *)sum_before, x, dx, enzyme_const, n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What all iterations of an outer loop compute alike is kept once for each of the inner loop's, in
 * one allocation, and what several loops in a row compute alike once for all; not what changes. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -mllvm -nabla-without=once \
// RUN:   -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: %clang -O2 -gline-tables-only -Rpass=nabla -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
#include <math.h>
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void nest(int n, int m, double *restrict x, double *restrict w, double *restrict sums) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < m; i++)
      // REMARK: [[@LINE+1]]:{{.*}}the bytes of values that iterations share are {{.*}}: each serves
      sums[0] += sin(x[i]) * w[k];
  for (int i = 0; i < m; i++)
    x[i] = 0;
}
// CHECK-LABEL: plan @nest
// CHECK-NOT:     store double
// CHECK:         store ptr {{.*}}@__nabla_tape_allocate(i64 {{.*}}, i64 16,
// CHECK-NOT:     {{store double|tape_allocate\(.*in}}
// CHECK-LABEL: plan @unrolled
// WITHOUT-LABEL:   plan @nest
// WITHOUT-COUNT-2: store double

static void unrolled(int n, double *restrict x, double *restrict sums) {
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < n; i++)
      sums[0] += sin(x[i]);
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
// CHECK-NOT:     store double
// CHECK:         store ptr {{.*}}@__nabla_tape_allocate(i64 {{.*}}, i64 8,
// CHECK-NOT:     {{store double|tape_allocate\(.*in}}
// CHECK-LABEL: plan @changed
// WITHOUT-LABEL:   plan @unrolled
// WITHOUT-COUNT-8: store double

static void changed(int n, int m, double *restrict x, double *restrict sums) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < m; i++)
      sums[0] += sin(x[i]);
    x[k] = 0;
  }
}
// CHECK:     store double

void gradients(int n, double *x, double *dx, double *w, double *dw, double *s, double *ds) {
  __enzyme_autodiff((void *)nest, enzyme_const, n, enzyme_const, n, x, dx, w, dw, s, ds);
  __enzyme_autodiff((void *)unrolled, enzyme_const, n, x, dx, s, ds);
  __enzyme_autodiff((void *)changed, enzyme_const, n, enzyme_const, n, x, dx, s, ds);
}

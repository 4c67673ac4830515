// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What several loops in a row read of an array of the caller's is kept once, also where these are
 * one loop that the optimiser unrolled; not where something is written in between, or where it
 * is known too late whether the later loop runs. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -mllvm \
// RUN:   -nabla-without=whole -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=WITHOUT
void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void in_a_row(int n, double *restrict x, double *restrict sums) {
  for (int i = 0; i < n; i++)
    sums[0] += x[i] * x[i];
  for (int i = n - 1; i > 0; i--)
    sums[1] += x[i - 1] * x[i - 1];
  for (int i = 0; i < n; i++)
    x[i] = x[i] * x[i];
}
// CHECK-LABEL: plan @in_a_row
// CHECK-NOT:     store double
// CHECK:         store ptr {{.*}}@__nabla_tape_allocate
// CHECK-NOT:     {{store double|tape_allocate}}
// CHECK-LABEL: plan @unrolled
// WITHOUT-LABEL:   plan @in_a_row
// WITHOUT-COUNT-3: store double {{.*}}load

static void unrolled(int n, double *restrict x, double *restrict sums) {
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < n; i++)
      sums[0] += x[i] * x[i];
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
// CHECK-NOT:     store double
// CHECK:         store ptr {{.*}}@__nabla_tape_allocate
// CHECK-NOT:     {{store double|tape_allocate}}
// CHECK-LABEL: plan @written

static void written(int n, double *restrict x, double *restrict sums) {
  for (int i = 0; i < n; i++)
    sums[0] += x[i] * x[i];
  x[n / 2] = 0;
  for (int i = 0; i < n; i++)
    sums[1] += x[i] * x[i];
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
// CHECK-COUNT-2: store double {{.*}}load
// CHECK-LABEL: plan @sometimes

static void sometimes(int n, double *restrict x, double *restrict sums) {
  for (int i = 0; i < n; i++)
    sums[0] += x[i] * x[i];
  if (sums[0] > 1)
    for (int i = 0; i < n; i++)
      sums[1] += x[i] * x[i];
  for (int i = 0; i < n; i++)
    x[i] = 0;
}
// CHECK-COUNT-2: store double {{.*}}load

void gradients(int n, double *x, double *dx, double *s, double *ds) {
  __enzyme_autodiff((void *)in_a_row, enzyme_const, n, x, dx, s, ds);
  __enzyme_autodiff((void *)unrolled, enzyme_const, n, x, dx, s, ds);
  __enzyme_autodiff((void *)written, enzyme_const, n, x, dx, s, ds);
  __enzyme_autodiff((void *)sometimes, enzyme_const, n, x, dx, s, ds);
}

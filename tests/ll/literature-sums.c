// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* x and y are overwritten: one array of ten sums is kept, not both of them. */
// RUN: %clang -O2 -fno-discard-value-names -mllvm -nabla-print=plan -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
void __enzyme_autodiff(void *, ...);

static double use(double sum) { return sum * sum * sum; }

static void sums(double *x, double *y, double *out) {
  double total = 0;
#pragma clang loop unroll(disable)
  for (int i = 0; i < 10; i++) {
    double sum = x[i] + y[i];
    total += use(sum);
    x[i] = 0;
    y[i] = 0;
  }
  *out = total;
}

void gradient(double *x, double *dx, double *y, double *dy, double *out, double *dout) {
  __enzyme_autodiff((void *)sums, x, dx, y, dy, out, dout);
}
// CHECK:     plan @sums
// CHECK:     store double %add in arrays of for.body
// CHECK-NOT: store

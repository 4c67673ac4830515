// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A product with ten numbers that can be read only once: its gradient reads them and adds them to
 * the shadow, and does nothing else. */
// RUN: %clang -O2 -fno-slp-vectorize -S -emit-llvm %s -o - | FileCheck %s
double __enzyme_autodiff(void *, ...);
double next_number(void);

static double product(const double *x) {
  double sum = 0;
  for (int i = 0; i < 10; i++)
    sum += x[i] * next_number();
  return sum;
}

void gradient(const double *x, double *dx) { __enzyme_autodiff((void *)product, x, dx); }
// CHECK-LABEL:     @gradient(
// CHECK-NOT:       {{fmul|malloc|allocate}}
// CHECK-COUNT-10:  call double @next_number
// CHECK-NOT:       {{fmul|malloc|allocate}}
// CHECK-COUNT-10:  fadd
// CHECK-NOT:       {{fmul|fadd|call}}
// CHECK:           ret void

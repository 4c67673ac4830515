// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of a dot product with numbers that are read once: they are what is added to the
 * shadow, and where the caller has visibly cleared it, they are stored. Nothing is kept, loaded or
 * added, and nothing is cleared. */
// RUN: %clang -O2 -DLOCAL -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -DLOCAL -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -DHEAP -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -DGIVEN -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: @gradient(
// CHECK-NOT: memset
// CHECK-COUNT-10: call double @next_number()
// CHECK-NOT: {{fadd|load|call}}
// CHECK-COUNT-10: store double
// CHECK-NOT: {{fadd|load|store|next_number}}
// CHECK: ret
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
double next_number(void);
void take(double *);

static double product(const double *x) {
  double sum = 0;
  for (int i = 0; i < 10; i++)
    sum += x[i] * next_number();
  return sum;
}

#ifdef LOCAL
void gradient(const double *x) {
  double dx[10] = {0};
  __enzyme_autodiff((void *)product, x, dx);
  take(dx);
}
#endif

#ifdef HEAP
double *gradient(const double *x) {
  double *dx = calloc(10, sizeof *dx);
  __enzyme_autodiff((void *)product, x, dx);
  return dx;
}
#endif

#ifdef GIVEN
void gradient(const double *restrict x, double *restrict dx) {
  for (int i = 0; i < 10; i++)
    dx[i] = 0;
  __enzyme_autodiff((void *)product, x, dx);
}
#endif

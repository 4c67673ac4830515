// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With restrict nothing is kept for what others write, but of the shadows nobody has said that they
// lie apart: where loops in loops go through several, a test chooses a version in which they do.
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -emit-llvm -S %s -o - \
// RUN:   | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

static void product(const double *restrict a, const double *restrict b, double *restrict c) {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 64; j++)
      c[i] += a[i * 64 + j] * b[j];
}
// CHECK-LABEL: define internal void @nabla.choice.product(
// CHECK-SAME:    ptr %0, ptr %1, ptr %2, ptr %[[DA:[0-9]+]], ptr %{{[0-9]+}}, ptr %{{[0-9]+}})
// CHECK:         icmp ule ptr {{.*}}%[[DA]]
// CHECK:         br i1
void gradient(double *a, double *da, double *b, double *db, double *c, double *dc) {
  __enzyme_autodiff((void *)product, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc);
}

// One loop is told apart by LLVM itself.
// CHECK-NOT: nabla.choice.products
static void products(const double *restrict a, const double *restrict b, double *restrict c) {
  for (int j = 0; j < 64; j++)
    c[j] = a[j] * b[j];
}

void gradients(double *a, double *da, double *b, double *db, double *c, double *dc) {
  __enzyme_autodiff((void *)products, enzyme_dup, a, da, enzyme_dup, b, db, enzyme_dup, c, dc);
}

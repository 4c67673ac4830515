// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* In several directions at once derivatives of the BLAS are calls of it, once for each, and what
 * the primal computes is computed once. */
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
extern int enzyme_dup, enzyme_const, enzyme_width;
void __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int,
                 double, double *, int);

static void product(const double *a, const double *b, double *c) {
  cblas_dgemm(102, 111, 111, 9, 9, 9, 1.5, a, 9, b, 9, 0, c, 9);
}

// CHECK-LABEL: @tangents(
// CHECK-NOT: fmul
// CHECK-COUNT-5: call void @__nabla_model_dgemm_c_real(
// CHECK-NOT: dgemm
// CHECK-NOT: fmul
// CHECK: ret void
void tangents(const double *a, const double *da, const double *b, const double *db, double *c,
              double *dc) {
  __enzyme_fwddiff((void *)product, enzyme_width, 2, enzyme_dup, a, da, da + 81, enzyme_dup, b, db,
                   db + 81, enzyme_dup, c, dc, dc + 81);
}

// CHECK-LABEL: @adjoints(
// CHECK-NOT: fmul
// CHECK-COUNT-5: call void @__nabla_model_dgemm_c_real(
// CHECK-NOT: dgemm
// CHECK-NOT: fmul
// CHECK: ret void
void adjoints(const double *a, double *da, const double *b, double *db, double *c, double *dc) {
  __enzyme_autodiff((void *)product, enzyme_width, 2, enzyme_dup, a, da, da + 81, enzyme_dup, b, db,
                    db + 81, enzyme_dup, c, dc, dc + 81);
}

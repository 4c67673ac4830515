// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// with: device.c
// split: none
// tolerance: 1e-10
/* The BLAS on complex numbers by the names of cuBLAS, on memory of a device that is made, filled
 * and read inside, with what the reverse sweep reads overwritten in between. Scalar
 * products of OpenBLAS read an element beyond a strided vector: here none ends where memory does.
 */
#include "cases.h"

#include "device_complex.h"

#define POINTS_16                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3
#define POINTS_32                                                                                  \
  POINTS_16, -1.05, 0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45, -0.75, 1.35, \
      1.05, -0.5
#define POINTS_40 POINTS_32, 0.8, -1.45, 0.6, 1.75, -0.35, 0.5, -1.25, 1.15

MAP(complex_dots, 16, 3, POINTS_16) {
  BEGIN(16, 3);
  real first[2], second[2];
  ZCUBLAS(dotu)(handle, 4, a, 1, a + 8, 1, first);
  ZCUBLAS(dotc)(handle, 2, a + 4, -2, a + 6, 1, second);
  ZCUBLAS(scal)(handle, 4, first, a + 4, 1);
  ZCUBLAS(dotc)(handle, 3, a + 2, 1, a + 2, 2, first);
  END(16, 3);
  y[0] = first[0] * second[1];
  y[1] = first[1] * second[0];
  y[2] = second[0];
}

MAP(complex_norms, 16, 2, POINTS_16) {
  BEGIN(16, 2);
  real norm, sum;
  ZCUBLAS_TO_REAL(nrm2)(handle, 4, a, 2, &norm);
  ZCUBLAS_TO_REAL(asum)(handle, 4, a + 2, 1, &sum);
  ZCUBLAS_WITH_REALS(scal)(handle, 3, &norm, a, 2);
  ZCUBLAS_TO_REAL(asum)(handle, 3, a, 2, &norm);
  END(16, 2);
  y[0] = norm * sum;
  y[1] = sum;
}

MAP(complex_vectors, 16, 8, POINTS_16) {
  BEGIN(16, 8);
  real factor[2] = {x[15] * x[15], x[1]}, two[2] = {-2, 0.5};
  ZCUBLAS(axpy)(handle, 4, factor, a, 1, b, 1);
  ZCUBLAS(swap)(handle, 2, b, 2, a + 4, 1);
  factor[1] *= factor[0];
  ZCUBLAS(axpy)(handle, 2, two, b, 2, a + 2, -1);
  ZCUBLAS(scal)(handle, 3, factor, a, 2);
  factor[0] = 1;
  ZCUBLAS(copy)(handle, 2, a, -1, b + 2, 2);
  ZCUBLAS(scal)(handle, 3, factor, b, 1);
  END(16, 8);
}

MAP(complex_turned, 16, 4, POINTS_16) {
  BEGIN(16, 4);
  real c = cos(x[14]), s = sin(x[14]);
  ZCUBLAS_WITH_REALS(rot)(handle, 3, a, 1, a + 6, 1, &c, &s);
  c = s * x[3];
  ZCUBLAS_WITH_REALS(rot)(handle, 2, a, 1, a + 4, 1, &c, &s);
  ZCUBLAS(copy)(handle, 2, a + 2, 1, b, 1);
  END(16, 4);
}

#define GEMV(trans)                                                                                \
  BEGIN(40, 6);                                                                                    \
  real alpha[2] = {x[28], x[29]}, beta[2] = {x[30], x[31]}, zero[2] = {0, 0};                      \
  ZCUBLAS(gemv)(handle, trans, 3, 2, alpha, a, 3, a + 18, 1, beta, b, 1);                          \
  ZCUBLAS(scal)(handle, 3, beta, a, 1);                                                            \
  alpha[0] = beta[1];                                                                              \
  ZCUBLAS(gemv)(handle, trans, 2, 3, beta, a, 3, a + 18, -1, alpha, b, 1);                         \
  ZCUBLAS(copy)(handle, 2, b, 1, a + 20, 1);                                                       \
  ZCUBLAS(gemv)(handle, trans, 3, 2, alpha, a, 4, a + 24, 2, zero, b, -1);                         \
  END(40, 6)

MAP(complex_gemv_plain, 40, 6, POINTS_40) { GEMV(OP_N); }

MAP(complex_gemv_turned, 40, 6, POINTS_40) { GEMV(OP_T); }

MAP(complex_gemv_adjoint, 40, 6, POINTS_40) { GEMV(OP_C); }

MAP(complex_ger, 16, 12, POINTS_16) {
  BEGIN(16, 12);
  real alpha[2] = {x[12], x[13]}, half[2] = {0.5, -1};
  ZCUBLAS(geru)(handle, 2, 3, alpha, a, 1, a + 4, 1, b, 2);
  ZCUBLAS(copy)(handle, 2, b, 2, a, 1);
  alpha[1] *= x[0];
  ZCUBLAS(gerc)(handle, 3, 2, half, a, -1, a + 4, 2, b, 3);
  ZCUBLAS(copy)(handle, 2, b + 2, 1, a + 4, 1);
  ZCUBLAS(gerc)(handle, 2, 3, alpha, a + 2, 1, a + 4, -1, b, 2);
  END(16, 12);
}

#define HERMITIAN_VECTOR(uplo)                                                                     \
  BEGIN(40, 18);                                                                                   \
  real alpha[2] = {x[36], x[37]}, beta[2] = {x[38], x[39]}, factor = x[30];                        \
  ZCUBLAS(hemv)(handle, uplo, 3, alpha, a, 3, a + 18, 1, beta, b, 1);                              \
  ZCUBLAS(copy)(handle, 2, b, 1, a + 2, 2);                                                        \
  beta[0] = 2;                                                                                     \
  ZCUBLAS(hemv)(handle, uplo, 3, beta, a, 4, a + 24, -1, alpha, b, 2);                             \
  ZCUBLAS(her)(handle, uplo, 3, &factor, a + 18, 1, b, 3);                                         \
  ZCUBLAS(copy)(handle, 2, b, 4, a + 20, 1);                                                       \
  ZCUBLAS(her2)(handle, uplo, 3, alpha, a + 18, 1, a + 24, -1, b, 3);                              \
  ZCUBLAS(copy)(handle, 2, b, 2, a + 22, 1);                                                       \
  ZCUBLAS(her)(handle, uplo, 2, &factor, a + 18, -2, b, 3);                                        \
  END(40, 18)

MAP(hermitian_vector_upper, 40, 18, POINTS_40) { HERMITIAN_VECTOR(UPPER_PART); }

MAP(hermitian_vector_lower, 40, 18, POINTS_40) { HERMITIAN_VECTOR(LOWER_PART); }

#define TRIANGLE_VECTOR(uplo, trans, diag)                                                         \
  BEGIN(32, 6);                                                                                    \
  ZCUBLAS(trmv)(handle, uplo, trans, diag, 3, a, 3, a + 18, 1);                                    \
  ZCUBLAS(copy)(handle, 2, a + 20, 1, a + 2, 2);                                                   \
  ZCUBLAS(trmv)(handle, uplo, trans, diag, 2, a + 2, 3, a + 18, -2);                               \
  ZCUBLAS(trsv)(handle, uplo, trans, diag, 3, a, 3, a + 18, 1);                                    \
  ZCUBLAS(copy)(handle, 3, a + 18, 1, b, 1);                                                       \
  ZCUBLAS(trsv)(handle, uplo, trans, diag, 2, a + 8, 3, b, -1);                                    \
  END(32, 6)

MAP(complex_triangle_upper, 32, 6, POINTS_32) { TRIANGLE_VECTOR(UPPER_PART, OP_N, FULL_DIAGONAL); }

MAP(complex_triangle_turned, 32, 6, POINTS_32) { TRIANGLE_VECTOR(UPPER_PART, OP_T, UNIT_DIAGONAL); }

MAP(complex_triangle_lower, 32, 6, POINTS_32) { TRIANGLE_VECTOR(LOWER_PART, OP_N, UNIT_DIAGONAL); }

MAP(complex_triangle_adjoint, 32, 6, POINTS_32) {
  TRIANGLE_VECTOR(LOWER_PART, OP_C, FULL_DIAGONAL);
}

#define PRODUCT(transa, transb)                                                                    \
  BEGIN(40, 12);                                                                                   \
  real alpha[2] = {x[36], x[37]}, beta[2] = {x[38], x[39]}, zero[2] = {0, 0};                      \
  ZCUBLAS(gemm)(handle, transa, transb, 2, 3, 2, alpha, a, 2, a + 10, 3, beta, b, 2);              \
  ZCUBLAS(copy)(handle, 3, b, 1, a + 2, 2);                                                        \
  beta[1] = alpha[0];                                                                              \
  ZCUBLAS(gemm)(handle, transa, transb, 2, 2, 3, beta, a, 3, a + 18, 3, zero, b, 3);               \
  END(40, 12)

MAP(complex_gemm_nn, 40, 12, POINTS_40) { PRODUCT(OP_N, OP_N); }

MAP(complex_gemm_nt, 40, 12, POINTS_40) { PRODUCT(OP_N, OP_T); }

MAP(complex_gemm_nc, 40, 12, POINTS_40) { PRODUCT(OP_N, OP_C); }

MAP(complex_gemm_tn, 40, 12, POINTS_40) { PRODUCT(OP_T, OP_N); }

MAP(complex_gemm_tt, 40, 12, POINTS_40) { PRODUCT(OP_T, OP_T); }

MAP(complex_gemm_tc, 40, 12, POINTS_40) { PRODUCT(OP_T, OP_C); }

MAP(complex_gemm_cn, 40, 12, POINTS_40) { PRODUCT(OP_C, OP_N); }

MAP(complex_gemm_ct, 40, 12, POINTS_40) { PRODUCT(OP_C, OP_T); }

MAP(complex_gemm_cc, 40, 12, POINTS_40) { PRODUCT(OP_C, OP_C); }

#define SYMMETRIC(side, uplo, trans)                                                               \
  BEGIN(40, 18);                                                                                   \
  real alpha[2] = {x[36], x[37]}, beta[2] = {x[38], x[39]}, half[2] = {0.5, 1};                    \
  ZCUBLAS(symm)(handle, side, uplo, 3, 2, alpha, a, 3, a + 18, 3, beta, b, 3);                     \
  ZCUBLAS(copy)(handle, 3, b, 2, a + 4, 1);                                                        \
  half[1] *= x[0];                                                                                 \
  ZCUBLAS(symm)(handle, side, uplo, 2, 3, half, a, 4, a + 24, 2, beta, b, 3);                      \
  ZCUBLAS(syrk)(handle, uplo, trans, 3, 2, alpha, a, 3, beta, b, 3);                               \
  ZCUBLAS(copy)(handle, 3, b, 2, a + 10, 1);                                                       \
  beta[0] = x[1];                                                                                  \
  ZCUBLAS(syrk)(handle, uplo, trans, 2, 3, alpha, a + 4, 4, half, b, 3);                           \
  ZCUBLAS(syr2k)(handle, uplo, trans, 3, 2, alpha, a, 3, a + 14, 3, beta, b, 3);                   \
  END(40, 18)

MAP(complex_symmetric_left, 40, 18, POINTS_40) { SYMMETRIC(FROM_LEFT, UPPER_PART, OP_N); }

MAP(complex_symmetric_right, 40, 18, POINTS_40) { SYMMETRIC(FROM_RIGHT, LOWER_PART, OP_T); }

#define HERMITIAN(side, uplo, trans)                                                               \
  BEGIN(40, 18);                                                                                   \
  real alpha[2] = {x[36], x[37]}, beta[2] = {x[38], x[39]}, factor = x[35], old = x[34];           \
  ZCUBLAS(hemm)(handle, side, uplo, 3, 2, alpha, a, 3, a + 18, 3, beta, b, 3);                     \
  ZCUBLAS(copy)(handle, 3, b, 2, a + 4, 1);                                                        \
  ZCUBLAS(hemm)(handle, side, uplo, 2, 3, beta, a, 4, a + 24, 2, alpha, b, 3);                     \
  ZCUBLAS(herk)(handle, uplo, trans, 3, 2, &factor, a, 3, &old, b, 3);                             \
  ZCUBLAS(copy)(handle, 3, b, 2, a + 10, 1);                                                       \
  factor *= old;                                                                                   \
  ZCUBLAS(herk)(handle, uplo, trans, 2, 3, &factor, a + 4, 4, &old, b, 3);                         \
  ZCUBLAS(her2k)(handle, uplo, trans, 3, 2, alpha, a, 3, a + 14, 3, &old, b, 3);                   \
  ZCUBLAS(copy)(handle, 3, b, 1, a + 12, 1);                                                       \
  old = 0;                                                                                         \
  ZCUBLAS(herk)(handle, uplo, trans, 2, 3, &factor, a + 4, 4, &old, b, 3);                         \
  END(40, 18)

MAP(hermitian_left_upper, 40, 18, POINTS_40) { HERMITIAN(FROM_LEFT, UPPER_PART, OP_N); }

MAP(hermitian_right_upper, 40, 18, POINTS_40) { HERMITIAN(FROM_RIGHT, UPPER_PART, OP_C); }

MAP(hermitian_left_lower, 40, 18, POINTS_40) { HERMITIAN(FROM_LEFT, LOWER_PART, OP_C); }

MAP(hermitian_right_lower, 40, 18, POINTS_40) { HERMITIAN(FROM_RIGHT, LOWER_PART, OP_N); }

#define TRIANGLE(side, uplo, trans, diag)                                                          \
  BEGIN(40, 12);                                                                                   \
  real alpha[2] = {x[36], x[37]}, minus[2] = {-1, 0};                                              \
  ZCUBLAS(trmm)(handle, side, uplo, trans, diag, 3, 2, alpha, a, 3, a + 18, 3, b, 3);              \
  ZCUBLAS(copy)(handle, 2, b, 2, a + 2, 2);                                                        \
  ZCUBLAS(trmm)(handle, side, uplo, trans, diag, 2, 3, minus, a, 4, b, 2, b, 2);                   \
  ZCUBLAS(trsm)(handle, side, uplo, trans, diag, 2, 2, alpha, a, 3, b, 3);                         \
  ZCUBLAS(copy)(handle, 2, b, 2, a + 2, 2);                                                        \
  alpha[0] = x[1];                                                                                 \
  ZCUBLAS(trsm)(handle, side, uplo, trans, diag, 3, 2, minus, a, 4, b, 3);                         \
  END(40, 12)

MAP(complex_left_upper, 40, 12, POINTS_40) { TRIANGLE(FROM_LEFT, UPPER_PART, OP_N, FULL_DIAGONAL); }

MAP(complex_left_turned, 40, 12, POINTS_40) {
  TRIANGLE(FROM_LEFT, UPPER_PART, OP_T, UNIT_DIAGONAL);
}

MAP(complex_left_adjoint, 40, 12, POINTS_40) {
  TRIANGLE(FROM_LEFT, LOWER_PART, OP_C, FULL_DIAGONAL);
}

MAP(complex_right_lower, 40, 12, POINTS_40) {
  TRIANGLE(FROM_RIGHT, LOWER_PART, OP_N, UNIT_DIAGONAL);
}

MAP(complex_right_turned, 40, 12, POINTS_40) {
  TRIANGLE(FROM_RIGHT, LOWER_PART, OP_T, FULL_DIAGONAL);
}

MAP(complex_right_adjoint, 40, 12, POINTS_40) {
  TRIANGLE(FROM_RIGHT, UPPER_PART, OP_C, UNIT_DIAGONAL);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// with: device.c
// split: none
// tolerance: 1e-10
/* The BLAS by the names of cuBLAS, on memory of a device that is made, filled and read inside, with
 * what the reverse sweep reads overwritten in between. */
#include "cases.h"

#include "device.h"

#define POINTS_4 0.7, -1.3, 0.4, 2.1
#define POINTS_6 0.7, -1.3, 0.4, 2.1, -0.6, 1.9
#define POINTS_8 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8
#define POINTS_14 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45
#define POINTS_18                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55
#define POINTS_24                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85

MAP(moved, 4, 4, POINTS_4) {
  BEGIN(4, 4);
  cudaMemcpy(b, a + 1, 2 * sizeof(real), ON_DEVICE);
  CUBLAS(copy)(handle, 2, b, 1, a, 1);
  END(4, 4);
}

MAP(moved_by_columns, 8, 6, POINTS_8) {
  BEGIN(8, 6);
  real *c, *d, two = 2;
  cudaMalloc((void **)&c, 12 * sizeof(real));
  cudaMallocHost((void **)&d, 4 * sizeof(real));
  cudaMemset(c, 0, 12 * sizeof(real));
  cublasSetMatrix(2, 3, sizeof(real), x, 2, c, 4);
  cublasSetVector(2, sizeof(real), x + 1, 3, c + 2, 5);
  CUBLAS(scal)(handle, 12, &two, c, 1);
  cublasGetMatrix(3, 2, sizeof(real), c, 4, y, 3);
  cublasGetVector(3, sizeof(real), c + 1, 3, d, 1);
  cudaMemset(c, 0, 2 * sizeof(real));
  CUBLAS(axpy)(handle, 4, &two, c, 1, a, 2);
  cudaFree(c);
  cudaMemcpy(x, a, 8 * sizeof(real), FROM_DEVICE);
  cudaMemcpy(a, x + 2, 3 * sizeof(real), TO_DEVICE);
  x[0] *= d[0] * d[1];
  y[5] += d[2];
  cudaFreeHost(d);
  cudaMemcpy(b, y, 6 * sizeof(real), TO_DEVICE);
  cudaMemcpy(a + 3, x + 3, 5 * sizeof(real), TO_DEVICE);
  END(8, 6);
}

MAP(managed, 8, 2, POINTS_8) {
  BEGIN(8, 2);
  real *m, factor = 3;
  cudaMallocManaged((void **)&m, 4 * sizeof(real), 1);
  for (int i = 0; i < 4; i++)
    m[i] = x[i] * x[i + 1];
  CUBLAS(axpy)(handle, 4, &factor, m, 1, a, 2);
  CUBLAS(copy)(handle, 2, a, 1, m, 2);
  CUBLAS(axpy)(handle, 2, &factor, m + 1, 2, b, 1);
  cudaDeviceSynchronize();
  real product = m[0] * m[1] * m[2];
  cudaFree(m);
  END(8, 2);
  y[0] = product;
}

MAP(on_a_stream, 8, 4, POINTS_8) {
  BEGIN(8, 4);
  void *stream;
  real factor = x[3];
  cudaStreamCreate(&stream);
  cublasSetStream_v2(handle, stream);
  cudaMemcpyAsync(a, b, 2 * sizeof(real), ON_DEVICE, stream);
  CUBLAS(axpy)(handle, 4, &factor, a + 1, 1, b, 1);
  cudaMemcpyAsync(y, b, 3 * sizeof(real), FROM_DEVICE, stream);
  cudaStreamSynchronize(stream);
  y[1] *= y[0];
  cudaMemcpyAsync(b, y, 2 * sizeof(real), TO_DEVICE, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  END(8, 4);
}

MAP(dots, 8, 2, POINTS_8) {
  BEGIN(8, 2);
  real first, second;
  CUBLAS(dot)(handle, 4, a, 1, a + 4, 1, &first);
  CUBLAS(dot)(handle, 3, a, -2, a + 5, 1, &second);
  CUBLAS(scal)(handle, 6, &first, a, 1);
  CUBLAS(dot)(handle, 4, a, 2, a, -2, &first);
  x[0] = first;
  END(8, 2);
  y[0] = sin(first) * second;
  y[1] = second;
}

MAP(norms, 8, 2, POINTS_8) {
  BEGIN(8, 2);
  real norm, sum;
  CUBLAS(nrm2)(handle, 4, a, 2, &norm);
  CUBLAS(asum)(handle, 4, a, 1, &sum);
  CUBLAS(scal)(handle, 2, &norm, a, 1);
  CUBLAS(asum)(handle, 3, a + 1, 2, &norm);
  END(8, 2);
  y[0] = norm * sum;
  y[1] = sum;
}

MAP(vectors, 8, 4, POINTS_8) {
  BEGIN(8, 4);
  real factor = x[7] * x[7], two = -2;
  CUBLAS(axpy)(handle, 4, &factor, a, 1, b, 1);
  CUBLAS(swap)(handle, 2, b, 2, a + 4, 1);
  CUBLAS(axpy)(handle, 2, &two, b, 2, a + 3, -1);
  CUBLAS(scal)(handle, 3, &factor, a, 2);
  CUBLAS(copy)(handle, 2, a, -1, b + 1, 2);
  END(8, 4);
}

MAP(rotated, 8, 2, POINTS_8) {
  BEGIN(8, 2);
  real c, s, p = x[1], q = x[2];
  CUBLAS(rotg)(handle, &p, &q, &c, &s);
  CUBLAS(rot)(handle, 3, a, 1, a + 3, 1, &c, &s);
  CUBLAS(rot)(handle, 2, a, 2, a + 1, 2, &p, &s);
  CUBLAS(copy)(handle, 2, a + 2, 1, b, 1);
  END(8, 2);
}

MAP(gemv_both, 18, 3, POINTS_18) {
  BEGIN(18, 3);
  real alpha = x[12], beta = x[13], zero = 0;
  CUBLAS(gemv)(handle, OP_N, 3, 2, &alpha, a, 3, a + 9, 1, &beta, b, 1);
  CUBLAS(scal)(handle, 3, &beta, a, 1);
  CUBLAS(gemv)(handle, OP_T, 2, 3, &beta, a, 3, a + 9, -1, &alpha, b, 1);
  CUBLAS(copy)(handle, 2, b, 1, a + 10, 1);
  CUBLAS(gemv)(handle, OP_C, 3, 2, &alpha, a, 4, a + 12, 2, &zero, b, -1);
  END(18, 3);
}

MAP(ger_both, 8, 6, POINTS_8) {
  BEGIN(8, 6);
  real alpha = x[6], half = 0.5;
  CUBLAS(ger)(handle, 2, 3, &alpha, a, 1, a + 2, 1, b, 2);
  CUBLAS(copy)(handle, 2, b, 2, a, 1);
  CUBLAS(ger)(handle, 3, 2, &half, a, -1, a + 2, 2, b, 3);
  END(8, 6);
}

MAP(symmetric_vector, 18, 3, POINTS_18) {
  BEGIN(18, 3);
  real alpha = x[12], beta = x[13], two = 2, one = 1;
  CUBLAS(symv)(handle, UPPER_PART, 3, &alpha, a, 3, a + 9, 1, &beta, b, 1);
  CUBLAS(copy)(handle, 2, b, 1, a + 4, 2);
  CUBLAS(symv)(handle, LOWER_PART, 3, &two, a, 4, a + 13, -1, &one, b, 1);
  CUBLAS(symv)(handle, LOWER_PART, 3, &two, a, 3, a + 13, -1, &beta, b, -1);
  CUBLAS(symv)(handle, UPPER_PART, 3, &two, a, 3, a + 13, 1, &beta, b, -1);
  END(18, 3);
}

MAP(rank_one, 8, 9, POINTS_8) {
  BEGIN(8, 9);
  real alpha = x[4], minus = -1;
  CUBLAS(syr)(handle, UPPER_PART, 3, &alpha, a, 1, b, 3);
  CUBLAS(copy)(handle, 2, b, 4, a, 1);
  CUBLAS(syr)(handle, LOWER_PART, 3, &minus, a, -1, b, 3);
  CUBLAS(syr2)(handle, UPPER_PART, 3, &alpha, a, 1, a + 3, 1, b, 3);
  CUBLAS(copy)(handle, 3, b, 3, a + 3, 1);
  CUBLAS(syr2)(handle, LOWER_PART, 3, &alpha, a, -1, a + 3, 2, b, 3);
  END(8, 9);
}

#define TRIANGLE_VECTOR(uplo, trans, diag)                                                         \
  BEGIN(14, 3);                                                                                    \
  CUBLAS(trmv)(handle, uplo, trans, diag, 3, a, 3, a + 9, 1);                                      \
  CUBLAS(copy)(handle, 2, a + 10, 1, a + 1, 2);                                                    \
  CUBLAS(trmv)(handle, uplo, trans, diag, 2, a + 1, 3, a + 9, -2);                                 \
  CUBLAS(trsv)(handle, uplo, trans, diag, 3, a, 3, a + 9, 1);                                      \
  CUBLAS(copy)(handle, 3, a + 9, 1, b, 1);                                                         \
  CUBLAS(trsv)(handle, uplo, trans, diag, 2, a + 4, 3, b, -1);                                     \
  END(14, 3)

MAP(triangle_upper, 14, 3, POINTS_14) { TRIANGLE_VECTOR(UPPER_PART, OP_N, FULL_DIAGONAL); }

MAP(triangle_upper_turned, 14, 3, POINTS_14) { TRIANGLE_VECTOR(UPPER_PART, OP_T, UNIT_DIAGONAL); }

MAP(triangle_lower, 14, 3, POINTS_14) { TRIANGLE_VECTOR(LOWER_PART, OP_N, UNIT_DIAGONAL); }

MAP(triangle_lower_turned, 14, 3, POINTS_14) { TRIANGLE_VECTOR(LOWER_PART, OP_T, FULL_DIAGONAL); }

#define PRODUCT(transa, transb)                                                                    \
  BEGIN(18, 6);                                                                                    \
  real alpha = x[12], beta = x[13], zero = 0;                                                      \
  CUBLAS(gemm)(handle, transa, transb, 2, 3, 2, &alpha, a, 2, a + 5, 3, &beta, b, 2);              \
  CUBLAS(copy)(handle, 3, b, 1, a + 1, 2);                                                         \
  CUBLAS(gemm)(handle, transa, transb, 2, 2, 3, &beta, a, 3, a + 9, 3, &zero, b, 3);               \
  END(18, 6)

MAP(gemm_plain, 18, 6, POINTS_18) { PRODUCT(OP_N, OP_N); }

MAP(gemm_first, 18, 6, POINTS_18) { PRODUCT(OP_T, OP_N); }

MAP(gemm_second, 18, 6, POINTS_18) { PRODUCT(OP_N, OP_T); }

MAP(gemm_turned, 18, 6, POINTS_18) { PRODUCT(OP_C, OP_T); }

#define SYMMETRIC(side, uplo, trans)                                                               \
  BEGIN(24, 9);                                                                                    \
  real alpha = x[22], beta = x[23], half = 0.5;                                                    \
  CUBLAS(symm)(handle, side, uplo, 3, 2, &alpha, a, 3, a + 9, 3, &beta, b, 3);                     \
  CUBLAS(copy)(handle, 3, b, 2, a + 2, 1);                                                         \
  CUBLAS(symm)(handle, side, uplo, 2, 3, &half, a, 4, a + 12, 2, &beta, b, 3);                     \
  CUBLAS(syrk)(handle, uplo, trans, 3, 2, &alpha, a, 3, &beta, b, 3);                              \
  CUBLAS(copy)(handle, 3, b, 2, a + 5, 1);                                                         \
  CUBLAS(syrk)(handle, uplo, trans, 2, 3, &alpha, a + 2, 4, &half, b, 3);                          \
  CUBLAS(syr2k)(handle, uplo, trans, 3, 2, &alpha, a, 3, a + 7, 3, &beta, b, 3);                   \
  CUBLAS(copy)(handle, 3, b, 2, a + 3, 1);                                                         \
  CUBLAS(syr2k)(handle, uplo, trans, 2, 3, &half, a + 1, 3, a + 8, 4, &beta, b, 3);                \
  END(24, 9)

MAP(symmetric_left_upper, 24, 9, POINTS_24) { SYMMETRIC(FROM_LEFT, UPPER_PART, OP_N); }

MAP(symmetric_right_upper, 24, 9, POINTS_24) { SYMMETRIC(FROM_RIGHT, UPPER_PART, OP_T); }

MAP(symmetric_left_lower, 24, 9, POINTS_24) { SYMMETRIC(FROM_LEFT, LOWER_PART, OP_T); }

MAP(symmetric_right_lower, 24, 9, POINTS_24) { SYMMETRIC(FROM_RIGHT, LOWER_PART, OP_N); }

#define TRIANGLE(side, uplo, trans, diag)                                                          \
  BEGIN(18, 6);                                                                                    \
  real alpha = x[16], minus = -1;                                                                  \
  CUBLAS(trmm)(handle, side, uplo, trans, diag, 3, 2, &alpha, a, 3, a + 9, 3, b, 3);               \
  CUBLAS(copy)(handle, 2, b, 2, a + 1, 2);                                                         \
  CUBLAS(trmm)(handle, side, uplo, trans, diag, 2, 3, &minus, a, 4, b, 2, b, 2);                   \
  CUBLAS(trsm)(handle, side, uplo, trans, diag, 2, 2, &alpha, a, 3, b, 3);                         \
  CUBLAS(copy)(handle, 2, b, 2, a + 1, 2);                                                         \
  CUBLAS(trsm)(handle, side, uplo, trans, diag, 3, 2, &minus, a, 4, b, 3);                         \
  END(18, 6)

MAP(left_upper, 18, 6, POINTS_18) { TRIANGLE(FROM_LEFT, UPPER_PART, OP_N, FULL_DIAGONAL); }

MAP(left_upper_turned, 18, 6, POINTS_18) { TRIANGLE(FROM_LEFT, UPPER_PART, OP_T, UNIT_DIAGONAL); }

MAP(right_lower, 18, 6, POINTS_18) { TRIANGLE(FROM_RIGHT, LOWER_PART, OP_N, UNIT_DIAGONAL); }

MAP(right_lower_turned, 18, 6, POINTS_18) { TRIANGLE(FROM_RIGHT, LOWER_PART, OP_T, FULL_DIAGONAL); }

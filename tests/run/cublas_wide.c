// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// with: device.c
// split: none
// tolerance: 1e-10
/* The BLAS by the names of cuBLAS with sizes of 64 bits. */
#include "cases.h"

#include "device_wide.h"

#define POINTS_8 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8
#define POINTS_18 POINTS_8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05, 0.55
#define POINTS_36                                                                                  \
  POINTS_18, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45, -0.75, 1.35, 1.05, -0.5,  \
      0.8, -1.45, 0.6, 1.75

MAP(wide_vectors, 8, 4, POINTS_8) {
  BEGIN(8, 4);
  real product;
  WIDE(dot)(handle, 4, a, 1, a + 4, 1, &product);
  WIDE(axpy)(handle, 2, &product, a, 3, b, 2);
  WIDE(axpy)(handle, 4, &product, b, 1, a + 1, -1);
  END(8, 4);
}

MAP(wide_matrices, 18, 6, POINTS_18) {
  BEGIN(18, 6);
  real alpha = x[12], beta = x[13];
  WIDE(gemm)(handle, OP_N, OP_T, 2, 3, 2, &alpha, a, 2, a + 5, 3, &beta, b, 2);
  WIDE(gemv)(handle, OP_T, 2, 3, &beta, a, 2, b + 1, 2, &alpha, a + 7, 1);
  WIDE(gbmv)(handle, OP_N, 3, 3, 1, 0, &alpha, a + 2, 2, b, 1, &beta, b + 3, 1);
  END(18, 6);
}

MAP(wide_complex, 36, 12, POINTS_36) {
  BEGIN(36, 12);
  real alpha[2] = {x[30], x[31]}, beta[2] = {x[32], x[33]}, product[2], norm;
  ZWIDE(gemm)(handle, OP_N, OP_C, 2, 3, 2, alpha, a, 2, a + 10, 3, beta, b, 2);
  ZWIDE(dotc)(handle, 3, a, 1, b, 1, product);
  ZWIDE_TO_REAL(nrm2)(handle, 4, a + 2, 1, &norm);
  ZWIDE(gemm)(handle, OP_T, OP_N, 1, 1, 1, product, a, 1, b, 1, alpha, b + 2, 1);
  END(36, 12);
  y[0] *= norm;
}

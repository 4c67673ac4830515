// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// with: device.c
// split: none
// tolerance: 1e-10
/* The BLAS by the names of cuBLAS on matrices of which not all is stored, by diagonals or packed,
 * with what the reverse sweep reads overwritten in between. */
#include "cases.h"

#include "device.h"

#define POINTS_16                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3
#define POINTS_24 POINTS_16, -1.05, 0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85

#define GENERAL(trans)                                                                             \
  BEGIN(24, 4);                                                                                    \
  real alpha = x[20], beta = x[21], zero = 0;                                                      \
  CUBLAS(gbmv)(handle, trans, 4, 3, 1, 1, &alpha, a, 4, a + 12, 1, &beta, b, 1);                   \
  CUBLAS(copy)(handle, 2, b, 1, a + 1, 4);                                                         \
  CUBLAS(copy)(handle, 1, b + 2, 1, a + 13, 1);                                                    \
  CUBLAS(gbmv)(handle, trans, 3, 3, 2, 0, &beta, a, 3, a + 13, -1, &zero, b, 1);                   \
  CUBLAS(gbmv)(handle, trans, 2, 4, 0, 2, &alpha, a, 3, a + 14, 1, &beta, b, -1);                  \
  END(24, 4)

MAP(gbmv_plain, 24, 4, POINTS_24) { GENERAL(OP_N); }

MAP(gbmv_turned, 24, 4, POINTS_24) { GENERAL(OP_T); }

#define SYMMETRIC(uplo)                                                                            \
  BEGIN(24, 4);                                                                                    \
  real alpha = x[18], beta = x[19], two = 2;                                                       \
  CUBLAS(sbmv)(handle, uplo, 4, 2, &alpha, a, 3, a + 12, 1, &beta, b, 1);                          \
  CUBLAS(copy)(handle, 2, b, 1, a + 4, 8);                                                         \
  CUBLAS(sbmv)(handle, uplo, 3, 1, &two, a + 1, 2, a + 12, -1, &beta, b, 1);                       \
  CUBLAS(spmv)(handle, uplo, 4, &alpha, a, a + 12, 1, &beta, b, 1);                                \
  CUBLAS(copy)(handle, 2, b + 1, 1, a + 5, 8);                                                     \
  CUBLAS(spmv)(handle, uplo, 3, &beta, a + 1, a + 12, -1, &alpha, b, -1);                          \
  END(24, 4)

MAP(stored_symmetric_upper, 24, 4, POINTS_24) { SYMMETRIC(UPPER_PART); }

MAP(stored_symmetric_lower, 24, 4, POINTS_24) { SYMMETRIC(LOWER_PART); }

#define BANDED(uplo, trans, diag)                                                                  \
  BEGIN(16, 4);                                                                                    \
  CUBLAS(tbmv)(handle, uplo, trans, diag, 4, 1, a, 2, a + 8, 1);                                   \
  CUBLAS(copy)(handle, 4, a + 8, 1, b, 1);                                                         \
  CUBLAS(copy)(handle, 2, b, 1, a + 2, 2);                                                         \
  CUBLAS(tbsv)(handle, uplo, trans, diag, 3, 2, a, 3, b, -1);                                      \
  CUBLAS(tbsv)(handle, uplo, trans, diag, 4, 1, a + 4, 3, b, 1);                                   \
  CUBLAS(copy)(handle, 2, b, 1, a + 3, 2);                                                         \
  CUBLAS(tbmv)(handle, uplo, trans, diag, 3, 1, a, 2, a + 8, -2);                                  \
  END(16, 4)

MAP(banded_upper, 16, 4, POINTS_16) { BANDED(UPPER_PART, OP_N, FULL_DIAGONAL); }

MAP(banded_upper_turned, 16, 4, POINTS_16) { BANDED(UPPER_PART, OP_T, UNIT_DIAGONAL); }

MAP(banded_lower, 16, 4, POINTS_16) { BANDED(LOWER_PART, OP_N, UNIT_DIAGONAL); }

MAP(banded_lower_turned, 16, 4, POINTS_16) { BANDED(LOWER_PART, OP_C, FULL_DIAGONAL); }

#define PACKED(uplo, trans, diag)                                                                  \
  BEGIN(16, 4);                                                                                    \
  CUBLAS(tpmv)(handle, uplo, trans, diag, 4, a, a + 10, 1);                                        \
  CUBLAS(copy)(handle, 4, a + 10, 1, b, 1);                                                        \
  CUBLAS(copy)(handle, 2, b, 1, a + 2, 2);                                                         \
  CUBLAS(tpsv)(handle, uplo, trans, diag, 3, a + 1, b, -1);                                        \
  CUBLAS(copy)(handle, 2, b, 1, a + 3, 2);                                                         \
  CUBLAS(tpmv)(handle, uplo, trans, diag, 3, a + 1, a + 10, -2);                                   \
  END(16, 4)

MAP(packed_upper, 16, 4, POINTS_16) { PACKED(UPPER_PART, OP_N, FULL_DIAGONAL); }

MAP(packed_upper_turned, 16, 4, POINTS_16) { PACKED(UPPER_PART, OP_T, UNIT_DIAGONAL); }

MAP(packed_lower, 16, 4, POINTS_16) { PACKED(LOWER_PART, OP_N, UNIT_DIAGONAL); }

MAP(packed_lower_turned, 16, 4, POINTS_16) { PACKED(LOWER_PART, OP_T, FULL_DIAGONAL); }

#define PACKED_SUM(uplo)                                                                           \
  BEGIN(16, 6);                                                                                    \
  real alpha = x[10], beta = x[11];                                                                \
  CUBLAS(spr)(handle, uplo, 3, &alpha, a, 1, b);                                                   \
  CUBLAS(copy)(handle, 2, b, 3, a, 2);                                                             \
  CUBLAS(spr2)(handle, uplo, 3, &beta, a, -1, a + 4, 2, b);                                        \
  CUBLAS(copy)(handle, 2, b + 1, 3, a + 4, 2);                                                     \
  CUBLAS(spr)(handle, uplo, 2, &beta, a + 4, -2, b);                                               \
  END(16, 6)

MAP(packed_sum_upper, 16, 6, POINTS_16) { PACKED_SUM(UPPER_PART); }

MAP(packed_sum_lower, 16, 6, POINTS_16) { PACKED_SUM(LOWER_PART); }

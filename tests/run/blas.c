// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* The BLAS: each function in both interfaces, on matrices by columns and by rows, with what the
 * reverse sweep reads overwritten in between. */
#include "cases.h"

#include "blas.h"

#define POINTS_4 0.7, -1.3, 0.4, 2.1
#define POINTS_6 0.7, -1.3, 0.4, 2.1, -0.6, 1.9
#define POINTS_8 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8
#define POINTS_9 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1
#define POINTS_10 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9
#define POINTS_12 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35
#define POINTS_14 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45
#define POINTS_16                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3
#define POINTS_18                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55
#define POINTS_20                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95
#define POINTS_24                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85

MAP(dot_of_halves, 8, 1, POINTS_8) {
  y[0] = sin(CBLAS(dot)(4, x, 1, x + 4, 1)) + n;
  (void)n;
}

MAP(dot_backwards, 8, 2, POINTS_8) {
  y[0] = CBLAS(dot)(3, x, -2, x + 5, 1) * y[1];
  y[1] = CBLAS(dot)(4, x, 2, x, -2);
}

MAP(dot_with_itself, 4, 1, POINTS_4) {
  int one = 1;
  y[0] = FORTRAN(dot)(&n, x, &one, x, &one);
}

MAP(dot_overwritten, 8, 2, POINTS_8) {
  y[0] = CBLAS(dot)(4, x, 1, x + 4, 1);
  x[1] = y[0] * y[0];
  y[1] = CBLAS(dot)(4, x, 2, x + 4, 1);
  x[5] = 0;
  x[0] = y[1];
}

MAP(norms, 8, 2, POINTS_8) {
  int three = 3, two = 2;
  y[0] = CBLAS(nrm2)(4, x, 2) * y[1];
  y[1] = FORTRAN(nrm2)(&three, x, &two) + CBLAS(asum)(4, x, 1);
  x[2] = FORTRAN(asum)(&three, x + 1, &two);
}

MAP(axpy_then_square, 8, 4, POINTS_8) {
  CBLAS(axpy)(4, x[7], x, 1, y, 1);
  for (int i = 0; i < 4; i++)
    x[i] = y[i] * y[i];
  CBLAS(axpy)(2, -2, y, 2, x + 3, -1);
}

MAP(scaled_in_a_loop, 6, 3, POINTS_6) {
  int three = 3, one = 1;
  for (int i = 0; i < 3; i++) {
    real factor = x[i] * x[3];
    FORTRAN(scal)(&three, &factor, x + 3, &one);
    FORTRAN(axpy)(&three, &x[i], x + 3, &one, y, &one);
  }
}

MAP(copied_and_swapped, 8, 4, POINTS_8) {
  CBLAS(copy)(4, x, 1, y, 1);
  CBLAS(swap)(2, y, 2, x + 4, 1);
  for (int i = 0; i < 8; i++)
    x[i] *= y[i % 4];
  CBLAS(copy)(2, x, -1, y + 1, 2);
}

MAP(copied_constants, 6, 3, POINTS_6) {
  real table[3] = {1, 2, 3};
  CBLAS(copy)(3, x, 1, y, 1);
  y[0] *= x[3];
  CBLAS(copy)(2, table, 1, y + 1, 1);
  CBLAS(axpy)(3, x[4], y, 1, x, 1);
}

MAP(rotated, 8, 2, POINTS_8) {
  real c = cos(x[6]), s = sin(x[6]);
  CBLAS(rot)(3, x, 1, x + 3, 1, c, s);
  y[0] = x[0] * x[4];
  c = y[0] * x[7];
  int two = 2, one = 1;
  FORTRAN(rot)(&two, x, &two, x + 1, &two, &c, &s);
  (void)one;
}

MAP(gemv_plain, 14, 3, POINTS_14) {
  CBLAS(gemv)(COLUMNS, PLAIN, 3, 2, x[12], x, 3, x + 9, 1, x[13], y, 1);
  for (int i = 0; i < 9; i++)
    x[i] = y[i % 3] * x[i];
}

MAP(gemv_by_rows_plain, 14, 3, POINTS_14) {
  CBLAS(gemv)(ROWS, PLAIN, 3, 2, 1.5, x, 3, x + 9, -1, 0, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(gemv)(ROWS, PLAIN, 2, 2, x[13], x + 1, 4, x + 9, 2, x[12], y, -1);
}

MAP(gemv_turned, 14, 3, POINTS_14) {
  CBLAS(gemv)(COLUMNS, TRANSPOSE, 2, 3, x[12], x, 3, x + 9, 1, x[13], y, 1);
  for (int i = 0; i < 9; i++)
    x[i] = y[i % 3] * x[i];
}

MAP(gemv_by_rows_turned, 14, 3, POINTS_14) {
  CBLAS(gemv)(ROWS, TRANSPOSE, 2, 3, 1.5, x, 3, x + 9, -1, 0, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(gemv)(ROWS, TRANSPOSE, 2, 2, x[13], x + 1, 4, x + 9, 2, x[12], y, -1);
}

/* The derivative by a factor that is zero here is what it is multiplied by. */
MAP(gemv_by_a_factor_of_zero, 14, 3, POINTS_14) {
  for (int i = 0; i < 3; i++)
    y[i] = x[i] * x[i + 1];
  CBLAS(gemv)(COLUMNS, PLAIN, 3, 2, x[12], x, 3, x + 9, 1, x[13] + (real)0.45, y, 1);
}

MAP(gemm_by_a_factor_of_zero, 14, 4, POINTS_14) {
  real beta = x[13] + (real)0.45;
  for (int i = 0; i < 4; i++)
    y[i] = x[i] * x[i + 1];
  CBLAS(gemm)(COLUMNS, PLAIN, PLAIN, 2, 2, 3, 1, x, 2, x + 6, 3, beta, y, 2);
}

#ifndef __cplusplus
/* What a library calls where an argument is wrong. */
void xerbla_(void) { abort(); }
#endif

/* A sum of no products is zero, and so is the derivative by what multiplies it. */
MAP(empty_sums, 14, 6, POINTS_14) {
  real keep = x[3];
  CBLAS(syrk)(COLUMNS, UPPER_PART, TRANSPOSE, 2, 0, x[12], x, 1, x[13], y, 2);
  CBLAS(gemm)(COLUMNS, TRANSPOSE, PLAIN, 2, 2, 0, x[12], x, 1, x + 4, 1, x[13], y, 2);
  CBLAS(ger)(COLUMNS, 3, 0, x[12], x, 1, x + 4, 1, y, 3);
  CBLAS(ger)(ROWS, 3, 0, x[13], x + 4, 1, x, 1, y, 3);
  x[1] = y[0] * keep;
}

MAP(gemv_fortran, 14, 3, POINTS_14) {
  int m = 3, two = 2, one = 1;
  real alpha = x[12] * x[12], beta = x[13];
  FORTRAN(gemv)("n", &m, &two, &alpha, x, &m, x + 9, &one, &beta, y, &one);
  m = 2;
  alpha = y[0];
  FORTRAN(gemv)("T", &m, &m, &alpha, x, &m, x + 9, &one, &beta, y, &one);
}

MAP(powers_of_a_matrix, 12, 3, POINTS_12) {
  real t[3];
  for (int k = 0; k < 3; k++) {
    CBLAS(gemv)(COLUMNS, PLAIN, 3, 3, 1, x, 3, x + 9, 1, 0, t, 1);
    CBLAS(copy)(3, t, 1, x + 9, 1);
    x[k] *= t[k];
  }
  CBLAS(copy)(3, t, 1, y, 1);
}

MAP(ger_both, 12, 6, POINTS_12) {
  int two = 2, three = 3, one = 1;
  CBLAS(ger)(COLUMNS, 2, 3, x[6], x, 1, x + 2, 1, y, 2);
  x[0] = y[1] * y[3];
  CBLAS(ger)(ROWS, 2, 3, 0.5, x, -1, x + 2, 2, y, 3);
  x[1] = y[0];
  FORTRAN(ger)(&two, &three, &x[7], x, &one, x + 2, &one, y, &two);
}

MAP(symv_upper, 14, 3, POINTS_14) {
  CBLAS(symv)(COLUMNS, UPPER_PART, 3, x[12], x, 3, x + 9, 1, x[13], y, 1);
  x[10] = y[0] * y[1];
  x[4] = y[2];
  CBLAS(symv)(ROWS, UPPER_PART, 3, 2, x, 3, x + 9, -1, 1, y, 1);
}

MAP(syr_upper, 6, 9, POINTS_6) {
  CBLAS(syr)(COLUMNS, UPPER_PART, 3, x[4], x, 1, y, 3);
  x[1] = y[4] * y[0];
  CBLAS(syr)(ROWS, UPPER_PART, 3, -1, x, -1, y, 3);
  x[0] = 1;
}

MAP(syr2_upper, 8, 9, POINTS_8) {
  CBLAS(syr2)(COLUMNS, UPPER_PART, 3, x[6], x, 1, x + 3, 1, y, 3);
  x[1] = y[4] * y[0];
  x[3] = y[8];
  CBLAS(syr2)(ROWS, UPPER_PART, 3, -1, x, -1, x + 3, 1, y, 3);
}

MAP(trmv_upper_plain_full, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_upper_plain_full, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(trmv_upper_plain_unit, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_upper_plain_unit, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(trmv_upper_turned_full, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_upper_turned_full, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(trmv_upper_turned_unit, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_upper_turned_unit, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(symv_lower, 14, 3, POINTS_14) {
  CBLAS(symv)(COLUMNS, LOWER_PART, 3, x[12], x, 3, x + 9, 1, x[13], y, 1);
  x[10] = y[0] * y[1];
  x[4] = y[2];
  CBLAS(symv)(ROWS, LOWER_PART, 3, 2, x, 3, x + 9, -1, 1, y, 1);
}

MAP(syr_lower, 6, 9, POINTS_6) {
  CBLAS(syr)(COLUMNS, LOWER_PART, 3, x[4], x, 1, y, 3);
  x[1] = y[4] * y[0];
  CBLAS(syr)(ROWS, LOWER_PART, 3, -1, x, -1, y, 3);
  x[0] = 1;
}

MAP(syr2_lower, 8, 9, POINTS_8) {
  CBLAS(syr2)(COLUMNS, LOWER_PART, 3, x[6], x, 1, x + 3, 1, y, 3);
  x[1] = y[4] * y[0];
  x[3] = y[8];
  CBLAS(syr2)(ROWS, LOWER_PART, 3, -1, x, -1, x + 3, 1, y, 3);
}

MAP(trmv_lower_plain_full, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_lower_plain_full, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(trmv_lower_plain_unit, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_lower_plain_unit, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(trmv_lower_turned_full, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_lower_turned_full, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(trmv_lower_turned_unit, 12, 3, POINTS_12) {
  CBLAS(trmv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x, 3, x + 9, 1);
  CBLAS(copy)(3, x + 9, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trmv)(ROWS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, x + 1, 3, x + 9, -2);
  x[4] = 0;
  x[2] = x[9];
}

MAP(trsv_lower_turned_unit, 12, 3, POINTS_12) {
  CBLAS(trsv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x, 3, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(trsv)(ROWS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, x + 4, 3, x + 9, -2);
  x[4] *= y[1];
  y[1] = x[9];
}

MAP(gemm_nn, 16, 4, POINTS_16) {
  CBLAS(gemm)(COLUMNS, PLAIN, PLAIN, 2, 2, 3, x[12], x, 3, x + 6, 3, x[13], y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(COLUMNS, PLAIN, PLAIN, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_nt, 16, 4, POINTS_16) {
  CBLAS(gemm)(COLUMNS, PLAIN, TRANSPOSE, 2, 2, 3, x[12], x, 3, x + 6, 3, x[13], y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(COLUMNS, TRANSPOSE, PLAIN, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_tn, 16, 4, POINTS_16) {
  CBLAS(gemm)(COLUMNS, TRANSPOSE, PLAIN, 2, 2, 3, x[12], x, 3, x + 6, 3, x[13], y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(COLUMNS, PLAIN, TRANSPOSE, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_tt, 16, 4, POINTS_16) {
  CBLAS(gemm)(COLUMNS, TRANSPOSE, TRANSPOSE, 2, 2, 3, x[12], x, 3, x + 6, 3, x[13], y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(COLUMNS, TRANSPOSE, TRANSPOSE, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_by_rows_nn, 16, 4, POINTS_16) {
  CBLAS(gemm)(ROWS, PLAIN, PLAIN, 2, 2, 3, 1, x, 3, x + 6, 3, 0.5, y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(ROWS, PLAIN, PLAIN, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_by_rows_nt, 16, 4, POINTS_16) {
  CBLAS(gemm)(ROWS, PLAIN, TRANSPOSE, 2, 2, 3, 1, x, 3, x + 6, 3, 0.5, y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(ROWS, TRANSPOSE, PLAIN, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_by_rows_tn, 16, 4, POINTS_16) {
  CBLAS(gemm)(ROWS, TRANSPOSE, PLAIN, 2, 2, 3, 1, x, 3, x + 6, 3, 0.5, y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(ROWS, PLAIN, TRANSPOSE, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_by_rows_tt, 16, 4, POINTS_16) {
  CBLAS(gemm)(ROWS, TRANSPOSE, TRANSPOSE, 2, 2, 3, 1, x, 3, x + 6, 3, 0.5, y, 2);
  x[3] = y[1] * y[2];
  x[8] *= y[0];
  CBLAS(gemm)(ROWS, TRANSPOSE, TRANSPOSE, 2, 2, 2, 1, x, 2, x + 6, 3, 1, y, 2);
}

MAP(gemm_fortran, 18, 4, POINTS_18) {
  int m = 2, k = 3, one = 1;
  real alpha = 1, beta = x[13] * x[12];
  FORTRAN(gemm)("N", "t", &m, &m, &k, &alpha, x, &m, x + 6, &m, &beta, y, &m);
  alpha = y[3];
  x[0] = FORTRAN(dot)(&k, x, &one, x + 6, &one);
  FORTRAN(gemm)("C", "n", &m, &m, &m, &alpha, x + 1, &m, x + 6, &k, &beta, y, &m);
}

FIXED(gemm_of_constants, 16, 4, POINTS_16) {
  CBLAS(gemm)(COLUMNS, PLAIN, PLAIN, 2, 2, 3, 2, x, 2, x + 6, 3, 0.5, y, 2);
  real t[4];
  CBLAS(gemm)(COLUMNS, PLAIN, TRANSPOSE, 2, 2, 2, 1, y, 2, x, 2, 0, t, 2);
  CBLAS(copy)(4, t, 1, y, 1);
  (void)n;
}

NOINLINE static void layer(int n, const real *weights, const real *input, real *output) {
  CBLAS(gemv)(ROWS, PLAIN, n, n, 1, weights, n, input, 1, 0, output, 1);
  for (int i = 0; i < n; i++)
    output[i] = tanh(output[i]);
}

MAP(layers_of_a_network, 12, 3, POINTS_12) {
  real *state = (real *)malloc(6 * sizeof(real));
  CBLAS(copy)(3, x + 9, 1, state, 1);
  for (int k = 0; k < 4; k++)
    layer(3, x, state + 3 * (k % 2), state + 3 * ((k + 1) % 2));
  CBLAS(copy)(3, state, 1, y, 1);
  free(state);
}

MAP(nothing_to_multiply, 6, 3, POINTS_6) {
  CBLAS(gemm)(COLUMNS, PLAIN, PLAIN, 0, 2, 3, 1, x, 3, x, 3, 1, y, 2);
  CBLAS(gemv)(COLUMNS, PLAIN, 3, 0, x[0], x, 3, x, 1, x[1], y, 1);
  CBLAS(axpy)(-1, x[0], x, 1, y, 1);
  y[0] += CBLAS(dot)(n - 6, x, 1, x, 1) + CBLAS(asum)(n - 6, x, 1);
}

MAP(symm_left_upper, 18, 6, POINTS_18) {
  CBLAS(symm)(COLUMNS, FROM_LEFT, UPPER_PART, 2, 3, x[15], x, 3, x + 9, 2, x[16], y, 2);
  x[10] = y[0] * y[5];
  x[4] *= y[2];
  CBLAS(symm)(ROWS, FROM_LEFT, UPPER_PART, 2, 3, 1, x, 3, x + 9, 3, 1, y, 3);
}

MAP(trmm_left_upper_plain_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_upper_plain_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_left_upper_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_upper_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_left_upper_turned_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_upper_turned_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_left_upper_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_upper_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(symm_left_lower, 18, 6, POINTS_18) {
  CBLAS(symm)(COLUMNS, FROM_LEFT, LOWER_PART, 2, 3, x[15], x, 3, x + 9, 2, x[16], y, 2);
  x[10] = y[0] * y[5];
  x[4] *= y[2];
  CBLAS(symm)(ROWS, FROM_LEFT, LOWER_PART, 2, 3, 1, x, 3, x + 9, 3, 1, y, 3);
}

MAP(trmm_left_lower_plain_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_lower_plain_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_left_lower_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_lower_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_left_lower_turned_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_lower_turned_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_left_lower_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_LEFT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_left_lower_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_LEFT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(symm_right_upper, 18, 6, POINTS_18) {
  CBLAS(symm)(COLUMNS, FROM_RIGHT, UPPER_PART, 2, 3, x[15], x, 3, x + 9, 2, x[16], y, 2);
  x[10] = y[0] * y[5];
  x[4] *= y[2];
  CBLAS(symm)(ROWS, FROM_RIGHT, UPPER_PART, 2, 3, 1, x, 3, x + 9, 3, 1, y, 3);
}

MAP(trmm_right_upper_plain_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_upper_plain_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_right_upper_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_upper_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_right_upper_turned_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_upper_turned_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_right_upper_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_upper_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(symm_right_lower, 18, 6, POINTS_18) {
  CBLAS(symm)(COLUMNS, FROM_RIGHT, LOWER_PART, 2, 3, x[15], x, 3, x + 9, 2, x[16], y, 2);
  x[10] = y[0] * y[5];
  x[4] *= y[2];
  CBLAS(symm)(ROWS, FROM_RIGHT, LOWER_PART, 2, 3, 1, x, 3, x + 9, 3, 1, y, 3);
}

MAP(trmm_right_lower_plain_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_lower_plain_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_right_lower_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_lower_plain_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_right_lower_turned_full, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_lower_turned_full, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trmm_right_lower_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trmm)(COLUMNS, FROM_RIGHT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(trsm_right_lower_turned_unit, 10, 6, POINTS_10) {
  CBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 3, x[9], x, 3, y, 2);
  x[4] = y[0] * y[5] + 3;
  CBLAS(trsm)(ROWS, FROM_RIGHT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, 1.5, x, 3, y, 3);
  y[2] *= x[8];
}

MAP(syrk_upper_plain, 8, 9, POINTS_8) {
  CBLAS(syrk)(COLUMNS, UPPER_PART, PLAIN, 3, 2, x[6], x, 3, x[7], y, 3);
  x[1] = y[0] * y[4];
  CBLAS(syrk)(ROWS, UPPER_PART, PLAIN, 2, 2, 1, x, 3, 1, y, 3);
}

MAP(syr2k_upper_plain, 14, 9, POINTS_14) {
  CBLAS(syr2k)(COLUMNS, UPPER_PART, PLAIN, 3, 2, x[12], x, 3, x + 6, 3, x[13], y, 3);
  x[1] = y[0] * y[4];
  x[7] *= x[1];
  CBLAS(syr2k)(ROWS, UPPER_PART, PLAIN, 2, 2, 1, x, 3, x + 6, 3, 1, y, 3);
}

MAP(syrk_upper_turned, 8, 9, POINTS_8) {
  CBLAS(syrk)(COLUMNS, UPPER_PART, TRANSPOSE, 2, 3, x[6], x, 3, x[7], y, 3);
  x[1] = y[0] * y[4];
  CBLAS(syrk)(ROWS, UPPER_PART, TRANSPOSE, 2, 2, 1, x, 3, 1, y, 3);
}

MAP(syr2k_upper_turned, 14, 9, POINTS_14) {
  CBLAS(syr2k)(COLUMNS, UPPER_PART, TRANSPOSE, 2, 3, x[12], x, 3, x + 6, 3, x[13], y, 3);
  x[1] = y[0] * y[4];
  x[7] *= x[1];
  CBLAS(syr2k)(ROWS, UPPER_PART, TRANSPOSE, 2, 2, 1, x, 3, x + 6, 3, 1, y, 3);
}

MAP(syrk_lower_plain, 8, 9, POINTS_8) {
  CBLAS(syrk)(COLUMNS, LOWER_PART, PLAIN, 3, 2, x[6], x, 3, x[7], y, 3);
  x[1] = y[0] * y[4];
  CBLAS(syrk)(ROWS, LOWER_PART, PLAIN, 2, 2, 1, x, 3, 1, y, 3);
}

MAP(syr2k_lower_plain, 14, 9, POINTS_14) {
  CBLAS(syr2k)(COLUMNS, LOWER_PART, PLAIN, 3, 2, x[12], x, 3, x + 6, 3, x[13], y, 3);
  x[1] = y[0] * y[4];
  x[7] *= x[1];
  CBLAS(syr2k)(ROWS, LOWER_PART, PLAIN, 2, 2, 1, x, 3, x + 6, 3, 1, y, 3);
}

MAP(syrk_lower_turned, 8, 9, POINTS_8) {
  CBLAS(syrk)(COLUMNS, LOWER_PART, TRANSPOSE, 2, 3, x[6], x, 3, x[7], y, 3);
  x[1] = y[0] * y[4];
  CBLAS(syrk)(ROWS, LOWER_PART, TRANSPOSE, 2, 2, 1, x, 3, 1, y, 3);
}

MAP(syr2k_lower_turned, 14, 9, POINTS_14) {
  CBLAS(syr2k)(COLUMNS, LOWER_PART, TRANSPOSE, 2, 3, x[12], x, 3, x + 6, 3, x[13], y, 3);
  x[1] = y[0] * y[4];
  x[7] *= x[1];
  CBLAS(syr2k)(ROWS, LOWER_PART, TRANSPOSE, 2, 2, 1, x, 3, x + 6, 3, 1, y, 3);
}

/* A least-squares fit by the normal equations: the library's own order of work. */
MAP(triangles_in_fortran, 14, 4, POINTS_14) {
  int two = 2, three = 3, one = 1;
  real alpha = 1, beta = 0, c[4] = {0, 0, 0, 0};
  FORTRAN(syrk)("l", "N", &two, &three, &alpha, x, &two, &beta, c, &two);
  c[0] += x[12] * x[12] + 1;
  c[3] += 2;
  FORTRAN(trsm)("L", "L", "N", "N", &two, &two, &x[13], c, &two, y, &two);
  FORTRAN(trsv)("L", "T", "N", &two, c, &two, y + 2, &one);
}

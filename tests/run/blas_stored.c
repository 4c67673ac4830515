// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* The BLAS on matrices of which not all is stored, by diagonals or packed: each function in both
 * interfaces, by columns and by rows, with what the reverse sweep reads overwritten in between. */
#include "cases.h"

#include "blas.h"

#define POINTS_4 0.7, -1.3, 0.4, 2.1
#define POINTS_16                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3
#define POINTS_20                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95
#define POINTS_24                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85

MAP(rotation_found, 4, 4, POINTS_4) {
  real c, s;
  CBLAS(rotg)(x, x + 1, &c, &s);
  CBLAS(rot)(2, x + 2, 1, y, 2, c, s);
  y[1] = x[1] * c;
  x[2] += 3;
  FORTRAN(rotg)(x + 3, x + 2, y + 1, y + 3);
  (void)n;
}

MAP(gbmv_plain, 24, 4, POINTS_24) {
  CBLAS(gbmv)(COLUMNS, PLAIN, 4, 3, 1, 1, x[20], x, 4, x + 12, 1, x[21], y, 1);
  x[1] = y[0] * y[1];
  x[13] = y[2];
  CBLAS(gbmv)(ROWS, PLAIN, 4, 3, 2, 0, 1.5, x, 3, x + 13, -1, 0, y, 1);
}

MAP(gbmv_turned, 24, 4, POINTS_24) {
  CBLAS(gbmv)(COLUMNS, TRANSPOSE, 4, 3, 1, 1, x[20], x, 4, x + 12, 1, x[21], y, 1);
  x[1] = y[0] * y[1];
  x[13] = y[2];
  CBLAS(gbmv)(ROWS, TRANSPOSE, 4, 3, 2, 0, 1.5, x, 3, x + 13, -1, 0, y, 1);
}

MAP(gbmv_fortran, 24, 4, POINTS_24) {
  int m = 3, four = 4, one = 1, none = 0, lda = 3, back = -1, two = 2;
  real alpha = x[22] * x[22], beta = x[23];
  FORTRAN(gbmv)("n", &m, &four, &one, &none, &alpha, x, &lda, x + 12, &one, &beta, y, &one);
  x[12] = y[1];
  alpha = y[0];
  FORTRAN(gbmv)("T", &four, &m, &none, &two, &alpha, x, &lda, x + 12, &back, &beta, y, &one);
}

MAP(sbmv_upper, 20, 4, POINTS_20) {
  CBLAS(sbmv)(COLUMNS, UPPER_PART, 4, 2, x[18], x, 3, x + 12, 1, x[19], y, 1);
  x[12] = y[0] * y[1];
  x[4] = y[2];
  x[5] = y[3];
  CBLAS(sbmv)(ROWS, UPPER_PART, 3, 1, 2, x + 1, 2, x + 12, -1, 1, y, 1);
}

MAP(spmv_upper, 20, 4, POINTS_20) {
  CBLAS(spmv)(COLUMNS, UPPER_PART, 4, x[18], x, x + 12, 1, x[19], y, 1);
  x[12] = y[0] * y[1];
  x[4] = y[2];
  x[5] = y[3];
  CBLAS(spmv)(ROWS, UPPER_PART, 3, 2, x + 1, x + 12, -1, 1, y, 1);
}

MAP(sbmv_lower, 20, 4, POINTS_20) {
  CBLAS(sbmv)(COLUMNS, LOWER_PART, 4, 2, x[18], x, 3, x + 12, 1, x[19], y, 1);
  x[12] = y[0] * y[1];
  x[4] = y[2];
  x[5] = y[3];
  CBLAS(sbmv)(ROWS, LOWER_PART, 3, 1, 2, x + 1, 2, x + 12, -1, 1, y, 1);
}

MAP(spmv_lower, 20, 4, POINTS_20) {
  CBLAS(spmv)(COLUMNS, LOWER_PART, 4, x[18], x, x + 12, 1, x[19], y, 1);
  x[12] = y[0] * y[1];
  x[4] = y[2];
  x[5] = y[3];
  CBLAS(spmv)(ROWS, LOWER_PART, 3, 2, x + 1, x + 12, -1, 1, y, 1);
}

MAP(symmetric_fortran, 20, 4, POINTS_20) {
  int m = 4, lda = 3, one = 1, two = 2, odd = 3;
  FORTRAN(sbmv)("u", &m, &two, x + 18, x, &lda, x + 12, &one, x + 19, y, &one);
  x[13] = y[0] * y[1];
  FORTRAN(spmv)("L", &odd, x + 18, x + 1, x + 12, &one, x + 17, y, &one);
  x[5] = y[2];
}

MAP(banded_upper_plain_full, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_upper_plain_full, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(banded_upper_plain_unit, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_upper_plain_unit, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, UPPER_PART, PLAIN, UNIT_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(banded_upper_turned_full, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_upper_turned_full, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(banded_upper_turned_unit, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_upper_turned_unit, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(banded_lower_plain_full, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, LOWER_PART, PLAIN, FULL_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, LOWER_PART, PLAIN, FULL_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_lower_plain_full, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, LOWER_PART, PLAIN, FULL_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, LOWER_PART, PLAIN, FULL_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(banded_lower_plain_unit, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_lower_plain_unit, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(banded_lower_turned_full, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_lower_turned_full, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(banded_lower_turned_unit, 16, 4, POINTS_16) {
  CBLAS(tbmv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, 1, x, 2, x + 8, 1);
  CBLAS(copy)(4, x + 8, 1, y, 1);
  x[9] = y[0] * y[1];
  CBLAS(tbsv)(ROWS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, 2, x, 3, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tbmv)(ROWS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, 1, x, 2, x + 8, -2);
  y[0] *= y[1];
}

MAP(packed_lower_turned_unit, 16, 4, POINTS_16) {
  CBLAS(tpmv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, x, x + 10, 1);
  CBLAS(copy)(4, x + 10, 1, y, 1);
  x[11] = y[0] * y[1];
  CBLAS(tpsv)(ROWS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x + 1, y, -1);
  x[4] = 0;
  x[2] = x[9];
  CBLAS(tpmv)(ROWS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x + 1, x + 10, -2);
  y[0] *= y[1];
}

MAP(triangles_fortran, 16, 4, POINTS_16) {
  int m = 4, one = 1, two = 2, three = 3;
  FORTRAN(tbmv)("U", "t", "N", &m, &one, x, &two, y, &one);
  FORTRAN(tpmv)("l", "N", "U", &m, x, y, &one);
  x[1] = y[0];
  FORTRAN(tbsv)("L", "N", "n", &m, &two, x, &three, y, &one);
  FORTRAN(tpsv)("U", "C", "N", &three, x + 2, y, &one);
  x[2] = y[1] * y[2];
}

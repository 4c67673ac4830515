// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* The BLAS on complex matrices of which not all is stored, by columns and by rows, in both
 * interfaces, with gaps, vectors in either direction, and what the reverse sweep reads overwritten
 * in between; rotations. */
#include "cases.h"

#include "blas.h"

#define POINTS_40                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45, -0.35, 1.05, 0.75, -0.5,   \
      1.2, 0.6, -0.9, 0.1, 0.8, -0.4, 1.5, 0.2

/* The matrix is x[0..23]; vectors and factors stand behind it. */

MAP(complex_gbmv_plain, 40, 12, POINTS_40) {
  ZBLAS(gbmv)(COLUMNS, PLAIN, 3, 4, 1, 1, x + 36, x, 3, x + 24, 1, x + 38, y, 1);
  x[3] = y[1] * y[2];
  x[25] *= y[0];
  x[38] = y[3];
  ZBLAS(gbmv)(ROWS, PLAIN, 4, 3, 1, 1, x + 36, x, 3, x + 24, -1, x + 38, y, -1);
}

MAP(complex_gbmv_turned, 40, 12, POINTS_40) {
  ZBLAS(gbmv)(COLUMNS, TRANSPOSE, 3, 4, 1, 1, x + 36, x, 3, x + 24, 1, x + 38, y, 1);
  x[3] = y[1] * y[2];
  x[25] *= y[0];
  x[38] = y[3];
  ZBLAS(gbmv)(ROWS, TRANSPOSE, 4, 3, 1, 1, x + 36, x, 3, x + 24, -1, x + 38, y, -1);
}

MAP(complex_gbmv_adjoint, 40, 12, POINTS_40) {
  ZBLAS(gbmv)(COLUMNS, ADJOINT, 3, 4, 1, 1, x + 36, x, 3, x + 24, 1, x + 38, y, 1);
  x[3] = y[1] * y[2];
  x[25] *= y[0];
  x[38] = y[3];
  ZBLAS(gbmv)(ROWS, ADJOINT, 4, 3, 1, 1, x + 36, x, 3, x + 24, -1, x + 38, y, -1);
}

MAP(hbmv_upper, 40, 12, POINTS_40) {
  ZBLAS(hbmv)(COLUMNS, UPPER_PART, 4, 1, x + 36, x, 3, x + 24, 1, x + 38, y, 1);
  x[3] = y[1] * y[2];
  x[25] *= y[0];
  x[2] += y[3];
  ZBLAS(hbmv)(ROWS, UPPER_PART, 4, 2, x + 36, x, 3, x + 24, -1, x + 38, y, -1);
}

MAP(hpmv_upper, 40, 12, POINTS_40) {
  ZBLAS(hpmv)(COLUMNS, UPPER_PART, 4, x + 36, x, x + 24, 1, x + 38, y, 1);
  x[3] = y[1] * y[2];
  x[25] *= y[0];
  ZBLAS(hpmv)(ROWS, UPPER_PART, 4, x + 36, x + 2, x + 24, -1, x + 38, y, 1);
}

MAP(hpr_upper, 40, 12, POINTS_40) {
  ZBLAS(hpr)(COLUMNS, UPPER_PART, 3, x[24], x, 1, y);
  x[2] = y[4] * y[5];
  x[24] *= y[0];
  ZBLAS(hpr)(ROWS, UPPER_PART, 3, x[24], x + 4, -2, y);
}

MAP(hpr2_upper, 40, 12, POINTS_40) {
  ZBLAS(hpr2)(COLUMNS, UPPER_PART, 3, x + 24, x, 1, x + 6, 2, y);
  x[2] = y[4] * y[5];
  x[24] *= y[0];
  ZBLAS(hpr2)(ROWS, UPPER_PART, 3, x + 24, x + 4, -1, x + 12, 1, y);
}

MAP(hbmv_lower, 40, 12, POINTS_40) {
  ZBLAS(hbmv)(COLUMNS, LOWER_PART, 4, 1, x + 36, x, 3, x + 24, 1, x + 38, y, 1);
  x[3] = y[1] * y[2];
  x[25] *= y[0];
  x[2] += y[3];
  ZBLAS(hbmv)(ROWS, LOWER_PART, 4, 2, x + 36, x, 3, x + 24, -1, x + 38, y, -1);
}

MAP(hpmv_lower, 40, 12, POINTS_40) {
  ZBLAS(hpmv)(COLUMNS, LOWER_PART, 4, x + 36, x, x + 24, 1, x + 38, y, 1);
  x[3] = y[1] * y[2];
  x[25] *= y[0];
  ZBLAS(hpmv)(ROWS, LOWER_PART, 4, x + 36, x + 2, x + 24, -1, x + 38, y, 1);
}

MAP(hpr_lower, 40, 12, POINTS_40) {
  ZBLAS(hpr)(COLUMNS, LOWER_PART, 3, x[24], x, 1, y);
  x[2] = y[4] * y[5];
  x[24] *= y[0];
  ZBLAS(hpr)(ROWS, LOWER_PART, 3, x[24], x + 4, -2, y);
}

MAP(hpr2_lower, 40, 12, POINTS_40) {
  ZBLAS(hpr2)(COLUMNS, LOWER_PART, 3, x + 24, x, 1, x + 6, 2, y);
  x[2] = y[4] * y[5];
  x[24] *= y[0];
  ZBLAS(hpr2)(ROWS, LOWER_PART, 3, x + 24, x + 4, -1, x + 12, 1, y);
}

MAP(complex_banded_times, 40, 8, POINTS_40) {
  for (int i = 0; i < 8; i++)
    y[i] += x[24 + i] * x[25 + i];
  ZBLAS(tbmv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbmv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbmv)(COLUMNS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbmv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  x[4] += y[1] * y[2] / 64;
  ZBLAS(tbmv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbmv)(COLUMNS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbmv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbmv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbmv)(ROWS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbmv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbmv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbmv)(ROWS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
}

MAP(complex_banded_solved, 40, 8, POINTS_40) {
  for (int i = 0; i < 24; i += 2)
    x[i] += x[i] < 0 ? -2 : 2;
  for (int i = 0; i < 8; i++)
    y[i] += x[24 + i] * x[25 + i];
  ZBLAS(tbsv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbsv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbsv)(COLUMNS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbsv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  x[4] += y[1] * y[2] / 64;
  ZBLAS(tbsv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbsv)(COLUMNS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbsv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbsv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbsv)(ROWS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbsv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 4, 1, x, 3, y, -1);
  ZBLAS(tbsv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 4, 1, x, 3, y, 1);
  ZBLAS(tbsv)(ROWS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, 1, x, 3, y, -1);
}

MAP(complex_packed_times, 40, 8, POINTS_40) {
  for (int i = 0; i < 8; i++)
    y[i] += x[24 + i] * x[25 + i];
  ZBLAS(tpmv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpmv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpmv)(COLUMNS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpmv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 4, x, y, -1);
  x[4] += y[1] * y[2] / 64;
  ZBLAS(tpmv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpmv)(COLUMNS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpmv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpmv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpmv)(ROWS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpmv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpmv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpmv)(ROWS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, -1);
}

MAP(complex_packed_solved, 40, 8, POINTS_40) {
  for (int i = 0; i < 24; i += 2)
    x[i] += x[i] < 0 ? -2 : 2;
  for (int i = 0; i < 8; i++)
    y[i] += x[24 + i] * x[25 + i];
  ZBLAS(tpsv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpsv)(COLUMNS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpsv)(COLUMNS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpsv)(COLUMNS, LOWER_PART, PLAIN, FULL_DIAGONAL, 4, x, y, -1);
  x[4] += y[1] * y[2] / 64;
  ZBLAS(tpsv)(COLUMNS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpsv)(COLUMNS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpsv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpsv)(ROWS, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpsv)(ROWS, UPPER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpsv)(ROWS, LOWER_PART, PLAIN, UNIT_DIAGONAL, 4, x, y, -1);
  ZBLAS(tpsv)(ROWS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 4, x, y, 1);
  ZBLAS(tpsv)(ROWS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 4, x, y, -1);
}

MAP(complex_stored_fortran, 40, 12, POINTS_40) {
  int one = 1, back = -1, two = 2, three = 3, four = 4;
  real half = x[35] / 2;
  ZFORTRAN(gbmv)("c", &three, &four, &one, &one, x + 36, x, &three, x + 24, &one, x + 38, y, &one);
  ZFORTRAN(hbmv)("u", &four, &two, x + 36, x, &three, x + 24, &back, x + 38, y, &one);
  ZFORTRAN(hpmv)("L", &four, x + 38, x, x + 24, &one, x + 36, y, &one);
  x[1] = y[0] * y[5];
  ZFORTRAN(tbmv)("u", "c", "N", &four, &two, x, &three, y, &one);
  ZFORTRAN(tpmv)("L", "t", "N", &four, x, y, &back);
  x[0] += 3;
  x[8] += 3;
  ZFORTRAN(tbsv)("L", "n", "U", &four, &one, x, &three, y, &one);
  ZFORTRAN(tpsv)("u", "c", "u", &four, x, y, &one);
  ZFORTRAN(hpr)("u", &three, &half, x + 20, &one, y);
  ZFORTRAN(hpr2)("L", &three, x + 36, x + 20, &one, x + 26, &back, y);
}

MAP(complex_rotg, 40, 6, POINTS_40) {
  y[0] = x[0] * x[1];
  y[1] = x[2];
  real b[2] = {x[3], x[4] * x[5]}, c;
  ZBLAS(rotg)(y, b, &c, y + 2);
  y[4] = c;
  real more[2] = {y[0], x[6]}, s[2];
  ZFORTRAN(rotg)(more, y + 2, &c, s);
  y[5] = c * s[0] + more[1] * s[1];
}

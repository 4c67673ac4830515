// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* The BLAS, continued: Hermitian matrices and vectors, updates of two vectors or matrices,
 * triangles and complex vectors, packed updates; by columns and by rows, in both interfaces, with
 * what the reverse sweep reads overwritten in between. */
#include "cases.h"

#include "blas.h"

#define POINTS_28                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45

/* A is x[0..17], three by three; vectors and factors stand behind it. */

MAP(hemv_upper, 28, 6, POINTS_28) {
  ZBLAS(hemv)(COLUMNS, UPPER_PART, 3, x + 24, x, 3, x + 18, 1, x + 26, y, 1);
  x[3] = y[1] * y[2];
  x[18] *= y[0];
  x[27] = y[5];
  ZBLAS(hemv)(ROWS, UPPER_PART, 3, x + 24, x, 3, x + 18, -1, x + 26, y, 1);
}

MAP(hemv_lower, 28, 12, POINTS_28) {
  ZBLAS(hemv)(COLUMNS, LOWER_PART, 3, x + 24, x, 3, x + 18, 1, x + 26, y, 2);
  x[3] = y[1] * y[4];
  x[0] += y[0];
  ZBLAS(hemv)(ROWS, LOWER_PART, 3, x + 26, x, 3, x + 18, 1, x + 24, y, -2);
}

MAP(her_upper, 28, 18, POINTS_28) {
  ZBLAS(her)(COLUMNS, UPPER_PART, 3, x[24], x, 1, y, 3);
  x[2] = y[6];
  ZBLAS(her)(ROWS, UPPER_PART, 3, x[25], x + 4, 2, y, 3);
  x[4] *= y[8];
}

MAP(her_lower, 28, 18, POINTS_28) {
  ZBLAS(her)(COLUMNS, LOWER_PART, 3, x[24], x, -1, y, 3);
  x[2] = y[2];
  ZBLAS(her)(ROWS, LOWER_PART, 3, x[25], x + 4, 1, y, 3);
}

MAP(her2_upper, 28, 18, POINTS_28) {
  ZBLAS(her2)(COLUMNS, UPPER_PART, 3, x + 24, x, 1, x + 6, 2, y, 3);
  x[2] = y[6] * y[7];
  x[24] *= y[0];
  ZBLAS(her2)(ROWS, UPPER_PART, 3, x + 24, x + 12, -1, x, 1, y, 3);
}

MAP(her2_lower, 28, 18, POINTS_28) {
  ZBLAS(her2)(COLUMNS, LOWER_PART, 3, x + 24, x, 1, x + 6, 1, y, 3);
  x[2] = y[2];
  ZBLAS(her2)(ROWS, LOWER_PART, 3, x + 26, x + 12, 1, x, 2, y, 3);
}

MAP(her2k_upper, 28, 8, POINTS_28) {
  ZBLAS(her2k)(COLUMNS, UPPER_PART, PLAIN, 2, 3, x + 24, x, 2, x + 12, 2, x[26], y, 2);
  x[3] = y[4] * y[5];
  x[12] *= y[0];
  ZBLAS(her2k)(ROWS, UPPER_PART, PLAIN, 2, 3, x + 24, x, 3, x + 12, 3, x[27], y, 2);
}

MAP(her2k_lower_turned, 28, 8, POINTS_28) {
  ZBLAS(her2k)(COLUMNS, LOWER_PART, ADJOINT, 2, 3, x + 24, x, 3, x + 12, 3, x[26], y, 2);
  x[3] = y[2] * y[3];
  ZBLAS(her2k)(ROWS, LOWER_PART, ADJOINT, 2, 3, x + 24, x, 2, x + 12, 2, 0.5, y, 2);
}

MAP(complex_syr2k_upper, 28, 8, POINTS_28) {
  ZBLAS(syr2k)(COLUMNS, UPPER_PART, PLAIN, 2, 3, x + 24, x, 2, x + 12, 2, x + 26, y, 2);
  x[3] = y[4] * y[5];
  x[26] *= y[0];
  ZBLAS(syr2k)(ROWS, UPPER_PART, PLAIN, 2, 3, x + 24, x, 3, x + 12, 3, x + 26, y, 2);
}

MAP(complex_syr2k_lower_turned, 28, 8, POINTS_28) {
  ZBLAS(syr2k)(COLUMNS, LOWER_PART, TRANSPOSE, 2, 3, x + 24, x, 3, x + 12, 3, x + 26, y, 2);
  x[3] = y[2] * y[3];
  ZBLAS(syr2k)(ROWS, LOWER_PART, TRANSPOSE, 2, 3, x + 24, x, 2, x + 12, 2, x + 26, y, 2);
}

MAP(complex_triangle_times_vector, 28, 12, POINTS_28) {
  y[0] += x[20];
  y[5] += x[21] * x[22];
  ZBLAS(trmv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, y, 1);
  ZBLAS(trmv)(COLUMNS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x, 3, y, 2);
  x[3] = y[1] * y[2];
  ZBLAS(trmv)(COLUMNS, UPPER_PART, ADJOINT, UNIT_DIAGONAL, 3, x, 3, y, -2);
  ZBLAS(trmv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, y, 1);
  x[8] = y[0];
  ZBLAS(trmv)(ROWS, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 3, x, 3, y, 1);
  ZBLAS(trmv)(ROWS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 3, x, 3, y, -1);
}

MAP(complex_triangle_solve_vector, 28, 12, POINTS_28) {
  x[0] += 2;
  x[8] += 2;
  x[16] += 2;
  y[0] += x[20];
  y[5] += x[21] * x[22];
  ZBLAS(trsv)(COLUMNS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, y, 1);
  ZBLAS(trsv)(COLUMNS, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 3, x, 3, y, 2);
  x[3] = y[1] * y[2];
  ZBLAS(trsv)(COLUMNS, UPPER_PART, ADJOINT, UNIT_DIAGONAL, 3, x, 3, y, -2);
  ZBLAS(trsv)(ROWS, UPPER_PART, PLAIN, FULL_DIAGONAL, 3, x, 3, y, 1);
  ZBLAS(trsv)(ROWS, LOWER_PART, ADJOINT, FULL_DIAGONAL, 3, x, 3, y, -1);
}

MAP(complex_more_fortran, 28, 18, POINTS_28) {
  int one = 1, two = 2, three = 3;
  real half = x[25] / 2;
  ZFORTRAN(hemv)("u", &three, x + 24, x, &three, x + 18, &one, x + 26, y, &two);
  ZFORTRAN(her)("L", &three, &half, x + 18, &one, y, &three);
  ZFORTRAN(her2)("U", &three, x + 24, x, &one, x + 18, &one, y, &three);
  x[1] = y[0] * y[7];
  ZFORTRAN(her2k)("u", "c", &three, &two, x + 24, x, &two, x + 12, &two, &half, y, &three);
  ZFORTRAN(syr2k)("L", "n", &three, &two, x + 24, x, &three, x + 12, &three, x + 26, y, &three);
  ZFORTRAN(trmv)("L", "c", "N", &three, x, &three, y, &one);
  ZFORTRAN(trsv)("u", "T", "u", &three, x, &three, y, &two);
}

/* Where nothing is added, libraries leave the diagonal's imaginary parts as they are. */
MAP(hermitian_by_zero, 28, 18, POINTS_28) {
  real nothing[2] = {0, 0};
  int one = 1, two = 2, three = 3, none = 0;
  real unit = 1, zero = 0;
  ZBLAS(her)(COLUMNS, UPPER_PART, 3, 0, x, 1, y, 3);
  ZBLAS(her2)(COLUMNS, LOWER_PART, 3, nothing, x, 1, x + 6, 1, y, 3);
  ZFORTRAN(herk)("U", "N", &three, &none, &unit, x, &three, &unit, y, &three);
  ZFORTRAN(her2k)("L", "N", &three, &two, nothing, x, &three, x + 12, &three, &unit, y, &three);
  for (int i = 0; i < 18; i++)
    y[i] *= x[i];
  ZBLAS(geru)(COLUMNS, 3, 0, x + 24, x, 1, x + 6, 1, y, 3);
  ZBLAS(gerc)(ROWS, 3, 0, x + 24, x, 1, x + 6, 1, y, 3);
  ZFORTRAN(herk)("U", "N", &three, &one, &zero, x, &three, &x[26], y, &three);
}

MAP(packed_updates, 12, 6, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  CBLAS(spr)(COLUMNS, UPPER_PART, 3, x[10], x, 1, y);
  x[1] *= y[2];
  CBLAS(spr)(ROWS, UPPER_PART, 3, x[11], x, -2, y);
  CBLAS(spr)(COLUMNS, LOWER_PART, 3, x[10], x + 4, 2, y);
  x[0] = y[1];
  CBLAS(spr2)(COLUMNS, LOWER_PART, 3, x[10], x, 1, x + 4, 2, y);
  CBLAS(spr2)(ROWS, UPPER_PART, 3, x[11], x + 3, -1, x, 2, y);
  x[3] *= y[5];
}

MAP(packed_updates_fortran, 12, 6, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7,
    0.35) {
  int one = 1, two = 2, three = 3;
  FORTRAN(spr)("u", &three, x + 10, x, &one, y);
  x[1] *= y[2];
  FORTRAN(spr2)("L", &three, x + 11, x, &two, x + 5, &one, y);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* The BLAS on complex numbers: matrices, in both interfaces, by columns and by rows, with what the
 * reverse sweep reads overwritten in between. */
#include "cases.h"

#include "blas.h"

#define POINTS_24                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85

#define POINTS_32                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45, -0.75, 1.35, 1.05, -0.5

#define POINTS_40                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45, -0.75, 1.35, 1.05, -0.5,   \
      0.8, -1.45, 0.6, 1.75, -0.35, 0.5, -1.25, 1.15

MAP(complex_gemm_nn, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, PLAIN, PLAIN, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, PLAIN, PLAIN, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_nt, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, PLAIN, TRANSPOSE, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, PLAIN, TRANSPOSE, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_nc, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, PLAIN, ADJOINT, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, PLAIN, ADJOINT, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_tn, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, TRANSPOSE, PLAIN, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, TRANSPOSE, PLAIN, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_tt, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, TRANSPOSE, TRANSPOSE, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, TRANSPOSE, TRANSPOSE, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_tc, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, TRANSPOSE, ADJOINT, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, TRANSPOSE, ADJOINT, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_cn, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, ADJOINT, PLAIN, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, ADJOINT, PLAIN, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_ct, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, ADJOINT, TRANSPOSE, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, ADJOINT, TRANSPOSE, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_cc, 40, 8, POINTS_40) {
  ZBLAS(gemm)(COLUMNS, ADJOINT, ADJOINT, 2, 2, 3, x + 36, x, 3, x + 18, 3, x + 38, y, 2);
  x[3] = y[1] * y[2];
  x[20] *= y[0];
  x[37] = y[3];
  ZBLAS(gemm)(ROWS, ADJOINT, ADJOINT, 2, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
}

MAP(complex_gemm_fortran, 40, 8, POINTS_40) {
  int two = 2, three = 3;
  real one[2] = {1, 0}, zero[2] = {0, 0};
  ZFORTRAN(gemm)("n", "C", &two, &two, &three, one, x, &two, x + 18, &two, zero, y, &two);
  x[1] = y[0] * y[7];
  ZFORTRAN(gemm)("T", "n", &two, &two, &two, x + 38, x, &two, y, &two, one, x + 18, &two);
  y[2] = x[19];
}

MAP(complex_symm_upper, 40, 8, POINTS_40) {
  ZBLAS(symm)(COLUMNS, FROM_LEFT, UPPER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
  x[0] = y[1] * y[2];
  x[8] = x[6] = y[5];
  x[18] *= y[0];
  ZBLAS(symm)(ROWS, FROM_LEFT, UPPER_PART, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
  x[37] = y[3];
  ZBLAS(symm)(COLUMNS, FROM_RIGHT, UPPER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
}

MAP(complex_hemm_upper, 40, 8, POINTS_40) {
  ZBLAS(hemm)(COLUMNS, FROM_LEFT, UPPER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
  x[0] = y[1] * y[2];
  x[8] = x[6] = y[5];
  x[18] *= y[0];
  ZBLAS(hemm)(ROWS, FROM_LEFT, UPPER_PART, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
  x[37] = y[3];
  ZBLAS(hemm)(COLUMNS, FROM_RIGHT, UPPER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
}

MAP(herk_upper_plain, 24, 8, POINTS_24) {
  ZBLAS(herk)(COLUMNS, UPPER_PART, PLAIN, 2, 2, x[20], x, 3, x[21], y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  ZBLAS(herk)(ROWS, UPPER_PART, PLAIN, 2, 3, 0.5, x, 3, 2, y, 2);
  x[1] = y[6];
}

MAP(complex_syrk_upper_plain, 24, 8, POINTS_24) {
  ZBLAS(syrk)(COLUMNS, UPPER_PART, PLAIN, 2, 2, x + 20, x, 3, x + 22, y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  x[21] = y[4];
  ZBLAS(syrk)(ROWS, UPPER_PART, PLAIN, 2, 3, x + 20, x, 3, x + 18, y, 2);
  x[1] = y[6];
}

MAP(herk_upper_turned, 24, 8, POINTS_24) {
  ZBLAS(herk)(COLUMNS, UPPER_PART, ADJOINT, 2, 2, x[20], x, 3, x[21], y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  ZBLAS(herk)(ROWS, UPPER_PART, ADJOINT, 2, 3, 0.5, x, 3, 2, y, 2);
  x[1] = y[6];
}

MAP(complex_syrk_upper_turned, 24, 8, POINTS_24) {
  ZBLAS(syrk)(COLUMNS, UPPER_PART, TRANSPOSE, 2, 2, x + 20, x, 3, x + 22, y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  x[21] = y[4];
  ZBLAS(syrk)(ROWS, UPPER_PART, TRANSPOSE, 2, 3, x + 20, x, 3, x + 18, y, 2);
  x[1] = y[6];
}

MAP(complex_triangle_upper_n_full, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_upper_n_unit, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_upper_t_full, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_upper_t_unit, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_upper_c_full, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_upper_c_unit, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, UPPER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, UPPER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, UPPER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, UPPER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_symm_lower, 40, 8, POINTS_40) {
  ZBLAS(symm)(COLUMNS, FROM_LEFT, LOWER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
  x[0] = y[1] * y[2];
  x[8] = x[6] = y[5];
  x[18] *= y[0];
  ZBLAS(symm)(ROWS, FROM_LEFT, LOWER_PART, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
  x[37] = y[3];
  ZBLAS(symm)(COLUMNS, FROM_RIGHT, LOWER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
}

MAP(complex_hemm_lower, 40, 8, POINTS_40) {
  ZBLAS(hemm)(COLUMNS, FROM_LEFT, LOWER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
  x[0] = y[1] * y[2];
  x[8] = x[6] = y[5];
  x[18] *= y[0];
  ZBLAS(hemm)(ROWS, FROM_LEFT, LOWER_PART, 2, 2, x + 36, x, 2, x + 18, 3, x + 34, y, 2);
  x[37] = y[3];
  ZBLAS(hemm)(COLUMNS, FROM_RIGHT, LOWER_PART, 2, 2, x + 36, x, 3, x + 18, 2, x + 38, y, 2);
}

MAP(herk_lower_plain, 24, 8, POINTS_24) {
  ZBLAS(herk)(COLUMNS, LOWER_PART, PLAIN, 2, 2, x[20], x, 3, x[21], y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  ZBLAS(herk)(ROWS, LOWER_PART, PLAIN, 2, 3, 0.5, x, 3, 2, y, 2);
  x[1] = y[6];
}

MAP(complex_syrk_lower_plain, 24, 8, POINTS_24) {
  ZBLAS(syrk)(COLUMNS, LOWER_PART, PLAIN, 2, 2, x + 20, x, 3, x + 22, y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  x[21] = y[4];
  ZBLAS(syrk)(ROWS, LOWER_PART, PLAIN, 2, 3, x + 20, x, 3, x + 18, y, 2);
  x[1] = y[6];
}

MAP(herk_lower_turned, 24, 8, POINTS_24) {
  ZBLAS(herk)(COLUMNS, LOWER_PART, ADJOINT, 2, 2, x[20], x, 3, x[21], y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  ZBLAS(herk)(ROWS, LOWER_PART, ADJOINT, 2, 3, 0.5, x, 3, 2, y, 2);
  x[1] = y[6];
}

MAP(complex_syrk_lower_turned, 24, 8, POINTS_24) {
  ZBLAS(syrk)(COLUMNS, LOWER_PART, TRANSPOSE, 2, 2, x + 20, x, 3, x + 22, y, 2);
  x[0] = y[1] * y[0];
  x[8] = y[5];
  x[21] = y[4];
  ZBLAS(syrk)(ROWS, LOWER_PART, TRANSPOSE, 2, 3, x + 20, x, 3, x + 18, y, 2);
  x[1] = y[6];
}

MAP(complex_triangle_lower_n_full, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, PLAIN, FULL_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_lower_n_unit, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, PLAIN, UNIT_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_lower_t_full, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, TRANSPOSE, FULL_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_lower_t_unit, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, TRANSPOSE, UNIT_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_lower_c_full, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, ADJOINT, FULL_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_triangle_lower_c_unit, 24, 8, POINTS_24) {
  ZBLAS(trmm)(COLUMNS, FROM_LEFT, LOWER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 22, x, 3, y, 2);
  ZBLAS(trsm)(ROWS, FROM_LEFT, LOWER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 20, x, 3, y, 2);
  x[0] += y[0];
  x[22] = y[1];
  ZBLAS(trsm)(COLUMNS, FROM_RIGHT, LOWER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 22, x, 2, y, 2);
  ZBLAS(trmm)(ROWS, FROM_RIGHT, LOWER_PART, ADJOINT, UNIT_DIAGONAL, 2, 2, x + 20, x, 2, y, 2);
  x[6] *= y[2];
}

MAP(complex_fortran, 40, 8, POINTS_40) {
  int two = 2, three = 3;
  real half = x[30] / 2, one = 1;
  ZFORTRAN(symm)("L", "u", &two, &two, x + 38, x, &three, x + 18, &two, x + 36, y, &two);
  ZFORTRAN(hemm)("r", "L", &two, &two, x + 38, x, &three, x + 18, &two, x + 36, y, &two);
  x[1] = y[0] * y[7];
  ZFORTRAN(syrk)("u", "T", &two, &two, x + 38, x, &two, x + 36, y, &two);
  ZFORTRAN(herk)("u", "c", &two, &two, &half, x, &two, &one, y, &two);
  x[0] = y[3];
  ZFORTRAN(trmm)("L", "u", "C", "N", &two, &two, x + 38, x, &three, y, &two);
  ZFORTRAN(trsm)("R", "l", "T", "U", &two, &two, x + 36, x, &three, y, &two);
}

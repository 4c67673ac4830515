// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* The BLAS on complex numbers: vectors, and a matrix and vectors, in both interfaces, by columns
 * and by rows, with what the reverse sweep reads overwritten in between. */
#include "cases.h"

#include "blas.h"

#define POINTS_16                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3

#define POINTS_24                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85

#define POINTS_32                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55, 1.25, -0.95, 1.6, 0.15, -0.2, 0.85, 0.3, -1.15, 0.95, 0.45, -0.75, 1.35, 1.05, -0.5

MAP(complex_dots, 16, 8, POINTS_16) {
  ZBLAS(dotu_sub)(4, x, 1, x + 8, 1, y);
  ZBLAS(dotc_sub)(2, x, -2, x + 7, 1, y + 2);
  x[3] = y[0] * y[2];
  x[8] = y[1] + y[3];
  DOT_BY_FORTRAN(dotc, 3, x, 1, x + 8, -1, y + 4);
  DOT_BY_C(dotu, 3, x + 2, 1, x + 2, 1, y + 6);
  y[6] *= y[5];
  x[10] = y[4];
}

MAP(complex_dots_by_names, 16, 8, POINTS_16) {
  DOT_BY_FORTRAN(dotu, 3, x, 1, x + 8, 2, y);
  DOT_BY_C(dotc, 4, x, 1, x + 8, 1, y + 2);
  x[1] = y[1] * y[3];
}

MAP(complex_norms, 16, 2, POINTS_16) {
  int three = 3, two = 2;
  y[0] = ZBLAS_TO_REAL(nrm2)(4, x, 2) * y[1];
  y[1] = ZFORTRAN_TO_REAL(nrm2)(&three, x, &two) + ZBLAS_TO_REAL(asum)(4, x, 1);
  x[2] = ZFORTRAN_TO_REAL(asum)(&three, x + 1, &two);
}

MAP(complex_axpy, 16, 8, POINTS_16) {
  int two = 2, one = 1;
  ZBLAS(axpy)(4, x + 14, x, 1, y, 1);
  for (int i = 0; i < 8; i++)
    x[i] = y[i] * y[7 - i];
  x[14] = y[2];
  ZFORTRAN(axpy)(&two, x + 12, y, &two, x, &one);
  x[13] *= x[0];
}

MAP(complex_axpy_constant, 16, 8, POINTS_16) {
  real factor[2] = {0.5, -2};
  ZBLAS(axpy)(3, factor, x, -1, y, 1);
  for (int i = 0; i < 8; i++)
    x[i] *= y[i];
}

MAP(complex_scaled, 16, 8, POINTS_16) {
  int three = 3, one = 1;
  real half = x[15] / 2;
  ZBLAS(scal)(3, x + 10, x, 1);
  x[10] = x[0] * x[3];
  ZFORTRAN(scal)(&three, x + 10, x + 2, &one);
  ZBLAS_WITH_REALS(scal)(2, x[9], x, 2);
  ZFORTRAN_WITH_REALS(scal)(&three, &half, x + 4, &one);
  ZBLAS(copy)(4, x, 1, y, 1);
}

MAP(complex_moved, 24, 8, POINTS_24) {
  int two = 2, one = 1;
  ZBLAS(copy)(4, x, -1, y, 1);
  ZBLAS(swap)(2, y, 2, x + 8, 1);
  x[1] = y[0] * y[5];
  ZFORTRAN(copy)(&two, x, &two, y + 2, &one);
  ZFORTRAN(swap)(&two, y, &one, x + 12, &one);
  y[1] *= x[13];
}

MAP(complex_turned, 24, 2, POINTS_24) {
  real c = cos(x[20]), s = sin(x[20]);
  int two = 2, one = 1;
  ZBLAS_WITH_REALS(rot)(3, x, 1, x + 6, 1, c, s);
  y[0] = x[0] * x[7];
  c = y[0] * x[13];
  ZFORTRAN_WITH_REALS(rot)(&two, x, &one, x + 4, &one, &c, &s);
  y[1] = x[2];
}

MAP(complex_gemv_plain, 32, 6, POINTS_32) {
  ZBLAS(gemv)(COLUMNS, PLAIN, 3, 2, x + 28, x, 3, x + 18, 1, x + 30, y, 1);
  x[18] = y[0] * y[1];
  x[4] = y[2];
  x[29] *= y[3];
  ZBLAS(gemv)(ROWS, PLAIN, 3, 2, x + 28, x, 3, x + 18, -1, x + 26, y, 1);
  x[28] = y[5];
}

MAP(complex_gemv_turned, 32, 6, POINTS_32) {
  ZBLAS(gemv)(COLUMNS, TRANSPOSE, 2, 3, x + 28, x, 3, x + 18, 1, x + 30, y, 1);
  x[18] = y[0] * y[1];
  x[4] = y[2];
  x[29] *= y[3];
  ZBLAS(gemv)(ROWS, TRANSPOSE, 2, 3, x + 28, x, 3, x + 18, -1, x + 26, y, 1);
  x[28] = y[5];
}

MAP(complex_gemv_adjoint, 32, 6, POINTS_32) {
  ZBLAS(gemv)(COLUMNS, ADJOINT, 2, 3, x + 28, x, 3, x + 18, 1, x + 30, y, 1);
  x[18] = y[0] * y[1];
  x[4] = y[2];
  x[29] *= y[3];
  ZBLAS(gemv)(ROWS, ADJOINT, 2, 3, x + 28, x, 3, x + 18, -1, x + 26, y, 1);
  x[28] = y[5];
}

/* The derivative by a factor that is zero here is what it is multiplied by. */
MAP(complex_gemv_by_a_factor_of_zero, 32, 6, POINTS_32) {
  real beta[2] = {x[30] - (real)1.05, x[31] + (real)0.5};
  for (int i = 0; i < 6; i++)
    y[i] = x[i] * x[i + 1];
  ZBLAS(gemv)(COLUMNS, PLAIN, 3, 2, x + 28, x, 3, x + 18, 1, beta, y, 1);
}

MAP(complex_gemv_fortran, 32, 6, POINTS_32) {
  int m = 3, two = 2, one = 1;
  real zero[2] = {0, 0}, factor[2] = {x[28] * x[29], 1};
  ZFORTRAN(gemv)("n", &m, &two, factor, x, &m, x + 18, &one, zero, y, &one);
  x[1] = y[0] * y[1];
  ZFORTRAN(gemv)("t", &m, &two, factor, x, &m, x + 18, &one, x + 26, y, &two);
  ZFORTRAN(gemv)("c", &two, &m, x + 28, x, &m, x + 12, &one, x + 26, y, &one);
}

MAP(complex_ger, 32, 12, POINTS_32) {
  int two = 2, three = 3, one = 1;
  ZBLAS(geru)(COLUMNS, 2, 3, x + 30, x, 1, x + 8, 1, y, 2);
  x[0] = y[1] * y[3];
  ZBLAS(gerc)(COLUMNS, 2, 3, x + 30, x, -1, x + 8, 2, y, 2);
  x[8] *= y[0];
  x[31] = y[4];
  ZBLAS(geru)(ROWS, 2, 3, x + 28, x, 1, x + 8, 1, y, 3);
  x[9] *= y[5];
  ZBLAS(gerc)(ROWS, 3, 2, x + 28, x, 2, x + 8, 1, y, 2);
  x[1] = y[0];
  ZFORTRAN(geru)(&two, &three, x + 26, x, &one, x + 2, &one, y, &two);
  ZFORTRAN(gerc)(&two, &three, x + 26, x, &one, x + 2, &one, y, &two);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-10
/* LAPACK: factorisations and what solves with them, by Fortran's interface. */
#include "cases.h"

#include "blas.h"

/* A matrix that is positive definite near any x: only one triangle is meant. */
static inline void definite(const real *x, real *a) {
  for (int i = 0; i < 9; i++)
    a[i] = x[i] / 4;
  for (int i = 0; i < 3; i++)
    a[4 * i] = 3 + x[4 * i] * x[4 * i];
}

MAP(cholesky_lower, 12, 9, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 3, lda = 3, info;
  definite(x, y);
  FORTRAN(potrf)("L", &m, y, &lda, &info);
  x[0] = y[0] * y[8] + info;
  y[4] = x[9] * y[1];
}

MAP(solved_by_cholesky_lower, 12, 6, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7,
    0.35) {
  int m = 3, two = 2, info;
  real a[9];
  definite(x, a);
  FORTRAN(potrf)("l", &m, a, &m, &info);
  FORTRAN(potrs)("L", &m, &two, a, &m, y, &m, &info);
  a[0] = x[9];
  y[1] *= a[0];
  definite(x + 1, a);
  FORTRAN(posv)("L", &m, &two, a, &m, y, &m, &info);
}

MAP(triangles_lower, 12, 3, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 3, one = 1, info;
  real a[9];
  definite(x, a);
  FORTRAN(trtrs)("L", "T", "N", &m, &one, a, &m, y, &m, &info);
  FORTRAN(trtrs)("L", "n", "U", &m, &one, a, &m, y, &m, &info);
}

MAP(cholesky_upper, 12, 9, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 3, lda = 3, info;
  definite(x, y);
  FORTRAN(potrf)("U", &m, y, &lda, &info);
  x[0] = y[0] * y[8] + info;
  y[4] = x[9] * y[3];
}

MAP(solved_by_cholesky_upper, 12, 6, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7,
    0.35) {
  int m = 3, two = 2, info;
  real a[9];
  definite(x, a);
  FORTRAN(potrf)("u", &m, a, &m, &info);
  FORTRAN(potrs)("U", &m, &two, a, &m, y, &m, &info);
  a[0] = x[9];
  y[1] *= a[0];
  definite(x + 1, a);
  FORTRAN(posv)("U", &m, &two, a, &m, y, &m, &info);
}

MAP(triangles_upper, 12, 3, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 3, one = 1, info;
  real a[9];
  definite(x, a);
  FORTRAN(trtrs)("U", "T", "N", &m, &one, a, &m, y, &m, &info);
  FORTRAN(trtrs)("U", "n", "U", &m, &one, a, &m, y, &m, &info);
}

MAP(empty_factors, 4, 2, 0.7, -1.3, 0.4, 2.1) {
  int none = 0, one = 1, info, pivots[1];
  FORTRAN(potrf)("L", &none, x, &one, &info);
  FORTRAN(getrf)(&none, &none, x, &one, pivots, &info);
  y[0] += x[0] * x[1];
}

MAP(factors_with_pivots, 12, 9, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 3, pivots[3], info;
  for (int i = 0; i < 9; i++)
    y[i] = x[i] + (i == 2) * 5 + (i == 3) * 4;
  FORTRAN(getrf)(&m, &m, y, &m, pivots, &info);
  x[1] = y[0] * y[4];
  pivots[0] = 1;
  y[8] *= x[10];
}

MAP(solved_by_factors, 12, 6, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 3, two = 2, pivots[3], info;
  real a[9];
  for (int i = 0; i < 9; i++)
    a[i] = x[i] + (i == 2) * 5 + (i == 3) * 4;
  FORTRAN(getrf)(&m, &m, a, &m, pivots, &info);
  FORTRAN(getrs)("N", &m, &two, a, &m, pivots, y, &m, &info);
  FORTRAN(getrs)("T", &m, &two, a, &m, pivots, y, &m, &info);
  for (int i = 0; i < 9; i++)
    a[i] = x[i] * x[i] + (i % 4 == 0) * 3;
  FORTRAN(gesv)(&m, &two, a, &m, pivots, y, &m, &info);
}

MAP(factors_of_a_tall_matrix, 8, 6, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8) {
  int m = 3, two = 2, pivots[2], info;
  for (int i = 0; i < 6; i++)
    y[i] = x[i] + (i == 1) * 5;
  FORTRAN(getrf)(&m, &two, y, &m, pivots, &info);
  x[7] *= y[2];
}

/* The logarithm of a normal density, as a fit writes it. */
SUM(log_density, 12, 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35) {
  int m = 3, one = 1, info;
  real a[9], r[3], sum = 0;
  definite(x, a);
  FORTRAN(potrf)("L", &m, a, &m, &info);
  FORTRAN(copy)(&m, x + 9, &one, r, &one);
  FORTRAN(trsv)("L", "N", "N", &m, a, &m, r, &one);
  for (int i = 0; i < 3; i++)
    sum -= log(a[4 * i]);
  return sum - FORTRAN(dot)(&m, r, &one, r, &one) / 2;
}

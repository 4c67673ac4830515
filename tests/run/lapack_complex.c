// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-9
/* LAPACK on complex numbers: factorisations and what solves with them. */
#include "cases.h"

#include "blas.h"

#define POINTS_12 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35
enum { ROOM = 256 };

/* A matrix of order 2 that is Hermitian and positive definite, of which one triangle is meant; and
 * one whose rows are exchanged. */
static inline void definite(const real *x, real *a) {
  for (int i = 0; i < 8; i++)
    a[i] = x[i] / 4;
  a[0] = 3 + x[0] * x[0];
  a[6] = 2 + x[6] * x[6];
}

static inline void full_rank(const real *x, real *a) {
  for (int i = 0; i < 8; i++)
    a[i] = x[i] / 2 + (i == 2) * 5 + (i == 4) * 4;
}

MAP(cholesky_lower, 12, 8, POINTS_12) {
  int m = 2, info;
  definite(x, y);
  ZFORTRAN(potrf)("L", &m, y, &m, &info);
  x[0] = y[0] * y[6] + info;
  y[6] = x[9] * y[2] * y[3];
}

MAP(cholesky_upper, 12, 8, POINTS_12) {
  int m = 2, info;
  definite(x, y);
  ZFORTRAN(potrf)("u", &m, y, &m, &info);
  x[0] = y[0] * y[6] + info;
  y[6] = x[9] * y[4] * y[5];
}

MAP(solved_by_cholesky, 12, 8, POINTS_12) {
  int m = 2, two = 2, info;
  real a[8];
  definite(x, a);
  ZFORTRAN(potrf)("U", &m, a, &m, &info);
  ZFORTRAN(potrs)("U", &m, &two, a, &m, y, &m, &info);
  a[0] = x[9];
  y[1] *= a[0];
  definite(x + 1, a);
  ZFORTRAN(posv)("L", &m, &two, a, &m, y, &m, &info);
}

MAP(triangles, 12, 4, POINTS_12) {
  int m = 2, one = 1, info;
  real a[8];
  definite(x, a);
  ZFORTRAN(trtrs)("L", "C", "N", &m, &one, a, &m, y, &m, &info);
  ZFORTRAN(trtrs)("U", "T", "U", &m, &one, a, &m, y, &m, &info);
  x[1] *= y[0];
}

MAP(factors_with_pivots, 12, 8, POINTS_12) {
  int m = 2, pivots[2], info;
  full_rank(x, y);
  ZFORTRAN(getrf)(&m, &m, y, &m, pivots, &info);
  x[1] = y[0] * y[7];
  pivots[0] = 1;
  y[6] *= x[10];
}

MAP(solved_by_factors, 12, 8, POINTS_12) {
  int m = 2, two = 2, pivots[2], info;
  real a[8];
  full_rank(x, a);
  ZFORTRAN(getrf)(&m, &m, a, &m, pivots, &info);
  ZFORTRAN(getrs)("N", &m, &two, a, &m, pivots, y, &m, &info);
  ZFORTRAN(getrs)("T", &m, &two, a, &m, pivots, y, &m, &info);
  ZFORTRAN(getrs)("C", &m, &two, a, &m, pivots, y, &m, &info);
  full_rank(x + 1, a);
  ZFORTRAN(gesv)(&m, &two, a, &m, pivots, y, &m, &info);
}

MAP(inverse_of_factors, 12, 8, POINTS_12) {
  int m = 2, room = ROOM, pivots[2], info;
  real work[ROOM];
  full_rank(x, y);
  ZFORTRAN(getrf)(&m, &m, y, &m, pivots, &info);
  ZFORTRAN(getri)(&m, y, &m, pivots, work, &room, &info);
  x[1] = y[0] * y[5];
}

MAP(factors_of_a_tall_matrix, 12, 8, POINTS_12) {
  int m = 4, one = 1, pivots[1], info;
  for (int i = 0; i < 8; i++)
    y[i] = x[i] / 2 + (i == 2) * 5;
  ZFORTRAN(getrf)(&m, &one, y, &m, pivots, &info);
  x[7] *= y[2];
}

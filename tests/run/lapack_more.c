// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-9
/* LAPACK, continued: inverses, reflections, least squares, and what moves or measures matrices. */
#include "cases.h"

#include "blas.h"

#define POINTS_12 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35
#define POINTS_18                                                                                  \
  0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35, 1.4, -0.45, 0.65, 2.3, -1.05,  \
      0.55
enum { ROOM = 4096 };

__attribute__((unused)) static void full_rank(const real *x, real *a) {
  for (int i = 0; i < 9; i++)
    a[i] = x[i] + (i == 2) * 5 + (i == 3) * 4 + (i == 7) * 3;
}

MAP(inverses_lower, 12, 9, POINTS_12) {
  int m = 3, two = 2, info;
  for (int i = 0; i < 9; i++)
    y[i] = x[i] / 4;
  for (int i = 0; i < 3; i++)
    y[4 * i] = 2 + x[4 * i] * x[4 * i];
  FORTRAN(trtri)("L", "N", &m, y, &m, &info);
  x[0] = y[0] * y[4] + info;
  FORTRAN(trtri)("l", "U", &m, y, &m, &info);
  FORTRAN(potri)("L", &two, y, &m, &info);
  x[1] *= y[1];
}

MAP(inverses_upper, 12, 9, POINTS_12) {
  int m = 3, two = 2, info;
  for (int i = 0; i < 9; i++)
    y[i] = x[i] / 4;
  for (int i = 0; i < 3; i++)
    y[4 * i] = 2 + x[4 * i] * x[4 * i];
  FORTRAN(trtri)("U", "N", &m, y, &m, &info);
  x[0] = y[0] * y[4] + info;
  FORTRAN(trtri)("u", "U", &m, y, &m, &info);
  FORTRAN(potri)("U", &two, y, &m, &info);
  x[1] *= y[1];
}

MAP(inverse_of_factors, 12, 9, POINTS_12) {
  int m = 3, room = ROOM, pivots[3], info;
  real work[ROOM];
  full_rank(x, y);
  FORTRAN(getrf)(&m, &m, y, &m, pivots, &info);
  FORTRAN(getri)(&m, y, &m, pivots, work, &room, &info);
  x[1] = y[0] * y[4];
}

MAP(factors_of_reflections, 12, 9, POINTS_12) {
  int m = 3, room = ROOM, info;
  real work[ROOM], tau[3];
  full_rank(x, y);
  FORTRAN(geqrf)(&m, &m, y, &m, tau, work, &room, &info);
  x[1] = y[0] * tau[1];
  x[2] = y[1] + tau[0];
  y[8] *= x[10];
}

MAP(factors_of_a_wide_matrix, 12, 6, POINTS_12) {
  int m = 2, columns = 3, room = ROOM, info;
  real work[ROOM], tau[2];
  for (int i = 0; i < 6; i++)
    y[i] = x[i];
  y[1] += 3;
  FORTRAN(geqrf)(&m, &columns, y, &m, tau, work, &room, &info);
  x[7] *= y[2] * tau[0];
}

MAP(multiplied_by_reflections_ln, 18, 6, POINTS_18) {
  int m = 3, two = 2, room = ROOM, info, rows = 3, columns = 2;
  real work[ROOM], tau[3], a[9];
  full_rank(x, a);
  FORTRAN(geqrf)(&m, &two, a, &m, tau, work, &room, &info);
  FORTRAN(ormqr)("L", "N", &rows, &columns, &two, a, &m, tau, y, &rows, work, &room, &info);
  a[1] = y[0];
  tau[0] = x[9];
  y[2] *= a[1] * tau[0];
  FORTRAN(ormqr)("L", "N", &rows, &columns, &two, x, &m, x + 12, y, &rows, work, &room, &info);
}

MAP(multiplied_by_reflections_lt, 18, 6, POINTS_18) {
  int m = 3, two = 2, room = ROOM, info, rows = 3, columns = 2;
  real work[ROOM], tau[3], a[9];
  full_rank(x, a);
  FORTRAN(geqrf)(&m, &two, a, &m, tau, work, &room, &info);
  FORTRAN(ormqr)("L", "T", &rows, &columns, &two, a, &m, tau, y, &rows, work, &room, &info);
  a[1] = y[0];
  tau[0] = x[9];
  y[2] *= a[1] * tau[0];
  FORTRAN(ormqr)("L", "T", &rows, &columns, &two, x, &m, x + 12, y, &rows, work, &room, &info);
}

MAP(multiplied_by_reflections_rn, 18, 6, POINTS_18) {
  int m = 3, two = 2, room = ROOM, info, rows = 2, columns = 3;
  real work[ROOM], tau[3], a[9];
  full_rank(x, a);
  FORTRAN(geqrf)(&m, &two, a, &m, tau, work, &room, &info);
  FORTRAN(ormqr)("R", "N", &rows, &columns, &two, a, &m, tau, y, &rows, work, &room, &info);
  a[1] = y[0];
  tau[0] = x[9];
  y[2] *= a[1] * tau[0];
  FORTRAN(ormqr)("R", "N", &rows, &columns, &two, x, &m, x + 12, y, &rows, work, &room, &info);
}

MAP(multiplied_by_reflections_rt, 18, 6, POINTS_18) {
  int m = 3, two = 2, room = ROOM, info, rows = 2, columns = 3;
  real work[ROOM], tau[3], a[9];
  full_rank(x, a);
  FORTRAN(geqrf)(&m, &two, a, &m, tau, work, &room, &info);
  FORTRAN(ormqr)("R", "T", &rows, &columns, &two, a, &m, tau, y, &rows, work, &room, &info);
  a[1] = y[0];
  tau[0] = x[9];
  y[2] *= a[1] * tau[0];
  FORTRAN(ormqr)("R", "T", &rows, &columns, &two, x, &m, x + 12, y, &rows, work, &room, &info);
}

MAP(constant_reflections, 12, 3, POINTS_12) {
  int m = 3, one = 1, two = 2, room = ROOM, info;
  real work[ROOM], tau[2] = {1.5, 1.2}, a[6] = {1, 0.5, -0.25, 1, 1, 0.75};
  FORTRAN(ormqr)("L", "T", &m, &one, &two, a, &m, tau, y, &m, work, &room, &info);
  y[0] *= x[0];
}

MAP(columns_of_the_orthogonal_factor, 12, 6, POINTS_12) {
  int m = 3, two = 2, query = -1, room, info;
  real size, tau[3], *work;
  for (int i = 0; i < 6; i++)
    y[i] = x[i] + (i == 1) * 5;
  FORTRAN(geqrf)(&m, &two, y, &m, tau, &size, &query, &info);
  room = ROOM;
  work = (real *)malloc(ROOM * sizeof(real));
  FORTRAN(geqrf)(&m, &two, y, &m, tau, work, &room, &info);
  FORTRAN(orgqr)(&m, &two, &two, y, &m, tau, work, &room, &info);
  free(work);
  x[1] = y[0] * y[1];
}

MAP(least_squares_tall, 18, 8, POINTS_18) {
  int m = 4, two = 2, room = ROOM, info;
  real work[ROOM], a[8];
  for (int i = 0; i < 8; i++)
    a[i] = x[i] + (i == 0) * 4 + (i == 6) * 5;
  FORTRAN(gels)("N", &m, &two, &two, a, &m, y, &m, work, &room, &info);
  x[9] *= y[0];
  FORTRAN(gels)("T", &m, &two, &two, x + 8, &m, y, &m, work, &room, &info);
}

MAP(least_squares_wide, 18, 8, POINTS_18) {
  int m = 4, two = 2, room = ROOM, info;
  real work[ROOM], a[8];
  for (int i = 0; i < 8; i++)
    a[i] = x[i] + (i == 0) * 4 + (i == 3) * 5;
  FORTRAN(gels)("N", &two, &m, &two, a, &two, y, &m, work, &room, &info);
  x[9] *= y[0] * a[1];
  FORTRAN(gels)("T", &two, &m, &two, x + 8, &two, y, &m, work, &room, &info);
}

MAP(moved, 12, 9, POINTS_12) {
  int m = 3, two = 2, one = 1, back = -1, pivots[3] = {3, 3, 3};
  FORTRAN(lacpy)("A", &m, &m, x, &m, y, &m);
  FORTRAN(lacpy)("U", &m, &two, x + 1, &m, y, &m);
  x[1] = y[3] * y[4];
  FORTRAN(lacpy)("l", &two, &m, x + 2, &m, y, &m);
  FORTRAN(laswp)(&two, y, &m, &one, &two, pivots, &one);
  FORTRAN(laswp)(&m, y, &m, &one, &m, pivots, &back);
}

MAP(measured, 12, 5, POINTS_12) {
  int m = 3, columns = 4;
  real work[3];
  y[0] = FORTRAN(lange)("M", &m, &columns, x, &m, work) * y[4];
  y[1] = FORTRAN(lange)("1", &m, &columns, x, &m, work);
  y[2] = FORTRAN(lange)("i", &m, &columns, x, &m, work);
  y[3] = FORTRAN(lange)("F", &m, &columns, x, &m, work);
  x[2] = y[0] * y[3];
}

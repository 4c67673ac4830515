// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-9
/* LAPACK on complex numbers: eigenvalues of Hermitian matrices and their vectors, in products that
 * do not depend on the signs of these. */
#include "cases.h"

#include "blas.h"

#define POINTS_12 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35
enum { ROOM = 512 };

/* A Hermitian matrix of order 3 with distinct values, of which a triangle is meant. */
static inline void distinct(const real *x, real *a, int lda) {
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) {
      real *at = a + 2 * (i + j * lda);
      at[0] = x[(i + 3 * j) % 12] / 4 + (i == j) * (1 + 3 * i);
      at[1] = x[(2 * i + 5 * j + 3) % 12] / 4;
    }
}

/* One part of the product of elements i and k of column j. */
static inline real part(int which, const real *a, int lda, int i, int k, int j) {
  const real *p = a + 2 * (i + j * lda), *q = a + 2 * (k + j * lda);
  return which ? p[0] * q[1] + p[1] * q[0] : p[0] * q[0] - p[1] * q[1];
}

MAP(complex_empty_matrices, 12, 3, POINTS_12) {
  int none = 0, one = 1, room = ROOM, info;
  real work[ROOM], rwork[ROOM];
  ZFORTRAN(heev)("N", "L", &none, x, &one, y, work, &room, rwork, &info);
  ZFORTRAN(heev)("V", "U", &none, x, &one, y, work, &room, rwork, &info);
  y[0] += x[0] * x[1];
}

MAP(complex_eigenvalues_lower, 12, 6, POINTS_12) {
  int m = 3, room = ROOM, info;
  real a[18], work[ROOM], rwork[ROOM];
  distinct(x, a, m);
  ZFORTRAN(heev)("N", "L", &m, a, &m, y, work, &room, rwork, &info);
  x[1] = y[0] * y[2] + info;
  y[3] *= y[1];
}

MAP(complex_eigenvalues_upper, 12, 6, POINTS_12) {
  int m = 3, room = ROOM, whole = ROOM, info, iwork[ROOM];
  real a[18], work[ROOM], rwork[ROOM];
  distinct(x, a, m);
  ZFORTRAN(heevd)
  ("n", "u", &m, a, &m, y, work, &room, rwork, &room, iwork, &whole, &info);
  x[1] = y[0] * y[2];
  y[3] *= y[1];
}

MAP(complex_eigenvectors_lower, 12, 18, POINTS_12) {
  int m = 3, room = ROOM, info;
  real a[18], w[3], work[ROOM], rwork[ROOM];
  distinct(x, a, m);
  ZFORTRAN(heev)("V", "L", &m, a, &m, w, work, &room, rwork, &info);
  for (int i = 0; i < 18; i++)
    y[i] = y[i] * w[i / 6] + part(i % 2, a, m, i / 2 % 3, 1, i / 6) * w[i % 3];
  a[1] = w[1] = 0;
}

MAP(complex_eigenvectors_upper, 12, 18, POINTS_12) {
  int m = 3, lda = 4, query = -1, room = ROOM, whole = ROOM, info, iwork[ROOM];
  real a[24], w[3], work[ROOM], rwork[ROOM];
  for (int i = 0; i < 24; i++)
    a[i] = x[i % 12];
  distinct(x, a, lda);
  ZFORTRAN(heevd)
  ("V", "U", &m, a, &lda, w, work, &query, rwork, &query, iwork, &query, &info);
  ZFORTRAN(heevd)
  ("V", "U", &m, a, &lda, w, work, &room, rwork, &room, iwork, &whole, &info);
  for (int i = 0; i < 18; i++)
    y[i] = sin(w[i / 6]) * part(i % 2, a, lda, i / 2 % 3, i % 3, i / 6);
  x[2] = y[0] * y[5];
}

/* Of a matrix that falls apart vectors have zeros, in the row that tells their phases, too. */
MAP(complex_eigenvectors_apart, 12, 18, POINTS_12) {
  int m = 3, room = ROOM, info;
  real a[18], w[3], work[ROOM], rwork[ROOM];
  distinct(x, a, m);
  for (int i = 2; i < 6; i++)
    a[i] = 0;
  ZFORTRAN(heev)("V", "L", &m, a, &m, w, work, &room, rwork, &info);
  for (int i = 6; i < 18; i++) {
    const real *at = a + i / 6 * 6;
    y[i] = (at[2] * at[4] + at[3] * at[5]) * w[i / 6] + at[2] * at[2] + at[3] * at[3];
  }
}

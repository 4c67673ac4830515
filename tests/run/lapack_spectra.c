// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-9
/* LAPACK: eigenvalues of symmetric matrices, singular values, and their vectors, in products that
 * do not depend on the signs of these. */
#include "cases.h"

#include "blas.h"

#define POINTS_12 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35
enum { ROOM = 256 };

/* A symmetric matrix, or any, of distinct values. */
static inline void distinct(const real *x, real *a) {
  for (int i = 0; i < 9; i++)
    a[i] = x[i] / 4;
  for (int i = 0; i < 3; i++)
    a[4 * i] += 1 + 3 * i;
}

#ifndef __cplusplus
/* What a library calls where an argument is wrong. */
void xerbla_(void) { abort(); }
#endif

MAP(empty_matrices, 12, 3, POINTS_12) {
  int none = 0, one = 1, three = 3, room = ROOM, info;
  real work[ROOM];
  FORTRAN(syev)("N", "L", &none, x, &one, y, work, &room, &info);
  FORTRAN(syev)("V", "U", &none, x, &one, y, work, &room, &info);
  FORTRAN(gesvd)("N", "N", &none, &three, x, &one, y, x, &one, x, &one, work, &room, &info);
  FORTRAN(gesvd)("S", "S", &three, &none, x, &three, y, x, &three, x, &one, work, &room, &info);
  y[0] += x[0] * x[1];
}

MAP(eigenvalues_lower, 12, 6, POINTS_12) {
  int m = 3, room = ROOM, info;
  real a[9], work[ROOM];
  distinct(x, a);
  FORTRAN(syev)("N", "L", &m, a, &m, y, work, &room, &info);
  x[1] = y[0] * y[2] + info;
  y[3] *= y[1];
}

MAP(eigenvalues_upper, 12, 6, POINTS_12) {
  int m = 3, room = ROOM, whole = ROOM, info, iwork[ROOM];
  real a[9], work[ROOM];
  distinct(x, a);
  FORTRAN(syevd)("n", "u", &m, a, &m, y, work, &room, iwork, &whole, &info);
  x[1] = y[0] * y[2];
  y[3] *= y[1];
}

MAP(eigenvectors_lower, 12, 9, POINTS_12) {
  int m = 3, room = ROOM, info;
  real a[9], w[3], work[ROOM];
  distinct(x, a);
  FORTRAN(syev)("V", "L", &m, a, &m, w, work, &room, &info);
  for (int i = 0; i < 9; i++)
    y[i] = y[i] * w[i / 3] + a[i] * a[i / 3 * 3] * w[i % 3];
  a[1] = w[1] = 0;
}

MAP(eigenvectors_upper, 12, 9, POINTS_12) {
  int m = 3, lda = 4, query = -1, room = ROOM, whole = ROOM, info, iwork[ROOM];
  real a[12], w[3], work[ROOM];
  distinct(x, y);
  for (int i = 0; i < 9; i++)
    a[i / 3 * lda + i % 3] = y[i];
  FORTRAN(syevd)("V", "U", &m, a, &lda, w, work, &query, iwork, &whole, &info);
  FORTRAN(syevd)("V", "U", &m, a, &lda, w, work, &room, iwork, &whole, &info);
  for (int i = 0; i < 9; i++)
    y[i] = sin(w[i / 3]) * a[i / 3 * lda + i % 3] * a[i / 3 * lda + 1];
  x[2] = y[0] * y[5];
}

MAP(singular_values, 12, 6, POINTS_12) {
  int m = 3, two = 2, room = ROOM, info, iwork[ROOM];
  real a[9], work[ROOM], none[1];
  distinct(x, a);
  FORTRAN(gesvd)("N", "N", &m, &m, a, &m, y, none, &m, none, &m, work, &room, &info);
  distinct(x + 1, a);
  FORTRAN(gesdd)("N", &two, &m, a, &two, y + 3, none, &two, none, &two, work, &room, iwork, &info);
  x[1] = y[0] * y[2] + info;
  y[5] *= y[1];
}

MAP(singular_vectors, 12, 9, POINTS_12) {
  int m = 3, room = ROOM, info;
  real a[9], s[3], u[9], v[9], work[ROOM];
  distinct(x, a);
  FORTRAN(gesvd)("A", "S", &m, &m, a, &m, s, u, &m, v, &m, work, &room, &info);
  for (int i = 0; i < 9; i++)
    y[i] = u[i] * s[i / 3] * v[i / 3 + i % 3 * 3] + u[i] * u[i / 3 * 3];
  u[1] = v[1] = s[1] = 0;
  x[0] = y[0] * y[3];
}

MAP(singular_vectors_tall, 12, 6, POINTS_12) {
  int m = 3, two = 2, room = ROOM, info, iwork[ROOM];
  real a[9], s[2], u[6], v[4], work[ROOM];
  distinct(x, a);
  FORTRAN(gesdd)("S", &m, &two, a, &m, s, u, &m, v, &two, work, &room, iwork, &info);
  for (int i = 0; i < 6; i++)
    y[i] += u[i] * s[i / 3] * v[i / 3] + u[i] * u[i / 3 * 3 + 2];
}

MAP(singular_vectors_wide, 12, 6, POINTS_12) {
  int m = 3, two = 2, room = ROOM, info;
  real a[9], s[2], u[4], v[6], work[ROOM];
  for (int i = 0; i < 6; i++)
    a[i] = x[i] + (i == 0) + (i == 3) * 5;
  FORTRAN(gesvd)("S", "S", &two, &m, a, &two, s, u, &two, v, &two, work, &room, &info);
  for (int i = 0; i < 6; i++)
    y[i] += u[i % 2 * 2] * s[i % 2] * v[i] + v[i] * v[i % 2];
}

MAP(left_vectors_alone, 12, 6, POINTS_12) {
  int m = 3, two = 2, room = ROOM, info;
  real a[9], s[2], u[6], none[1], work[ROOM];
  distinct(x, a);
  FORTRAN(gesvd)("S", "N", &m, &two, a, &m, s, u, &m, none, &two, work, &room, &info);
  for (int i = 0; i < 6; i++)
    y[i] += u[i] * u[i / 3 * 3 + 1] * s[1];
  distinct(x + 3, a);
  FORTRAN(gesvd)("N", "A", &m, &two, a, &m, s, none, &m, u, &two, work, &room, &info);
  y[0] += u[0] * u[2] * s[0];
}

#ifndef __cplusplus
extern void __enzyme_autodiff_inner(void *, ...);
extern void __enzyme_fwddiff_outer(void *, ...);
extern void __enzyme_autodiff_outer(void *, ...);
enum { ENTRIES = 9 };

/* Of what eigenvalues and vectors, or singular ones, are left. */
__attribute__((unused)) static real eigen_objective(const real *x) {
  int m = 3, room = ROOM, info;
  real a[9], w[3], work[ROOM];
  distinct((real *)x, a);
  FORTRAN(syev)("V", "L", &m, a, &m, w, work, &room, &info);
  return a[0] * a[1] * w[0] + a[7] * a[8] * sin(w[2]);
}

__attribute__((unused)) static real singular_objective(const real *x) {
  int m = 3, two = 2, room = ROOM, info;
  real a[9], s[2], u[6], v[4], work[ROOM];
  distinct((real *)x, a);
  FORTRAN(gesvd)("S", "S", &m, &two, a, &m, s, u, &m, v, &two, work, &room, &info);
  return u[0] * u[2] * s[0] + u[3] * v[1] * sin(s[1]);
}

__attribute__((unused)) static void eigen_gradient(const real *x, real *g) {
  memset(g, 0, ENTRIES * sizeof(real));
  __enzyme_autodiff_inner((void *)eigen_objective, enzyme_dup, x, g);
}

__attribute__((unused)) static void singular_gradient(const real *x, real *g) {
  memset(g, 0, ENTRIES * sizeof(real));
  __enzyme_autodiff_inner((void *)singular_objective, enzyme_dup, x, g);
}

static const real place[ENTRIES] = {0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1};
static const real along[ENTRIES] = {1, -0.5, 2, 0.3, 0.8, -1, 0.6, 1.2, -0.4};
static const real against[ENTRIES] = {0.2, 0.9, -0.7, 1, 0.1, -0.2, 1, 2, 0.4};

__attribute__((unused)) static double product(const real *a, const real *b) {
  double sum = 0;
  for (int i = 0; i < ENTRIES; i++)
    sum += (double)a[i] * (double)b[i];
  return sum;
}

/* By differences of the gradient, to the fourth order. */
__attribute__((unused)) static double second(void (*gradient)(const real *, real *)) {
  static const double factors[4] = {1, -8, 8, -1};
  double sum = 0, h = sizeof(real) == sizeof(double) ? 1e-3 : 0.05;
  for (int k = 0; k < 4; k++) {
    real x[ENTRIES], g[ENTRIES];
    for (int i = 0; i < ENTRIES; i++)
      x[i] = (real)((double)place[i] + (k < 2 ? k - 2 : k - 1) * h * (double)along[i]);
    gradient(x, g);
    sum += factors[k] * product(g, against);
  }
  return sum / (12 * h);
}

#define CLOSE(a, b) EXPECT(fabs((a) - (b)) < (sizeof(real) == sizeof(double) ? 1e-7 : 2e-2), 1)

CHECK(eigen_again) {
  real g[ENTRIES], seed[ENTRIES], forward[ENTRIES], reverse[ENTRIES] = {0};
  double expected = second(eigen_gradient);
  memcpy(seed, against, sizeof seed);
  __enzyme_fwddiff_outer((void *)eigen_gradient, enzyme_dup, place, along, enzyme_dup, g, forward);
  __enzyme_autodiff_outer((void *)eigen_gradient, enzyme_dup, place, reverse, enzyme_dup, g, seed);
  CLOSE(product(forward, against), expected);
  CLOSE(product(reverse, along), expected);
}

CHECK(singular_again) {
  real g[ENTRIES], seed[ENTRIES], forward[ENTRIES], reverse[ENTRIES] = {0};
  double expected = second(singular_gradient);
  memcpy(seed, against, sizeof seed);
  __enzyme_fwddiff_outer((void *)singular_gradient, enzyme_dup, place, along, enzyme_dup, g,
                         forward);
  __enzyme_autodiff_outer((void *)singular_gradient, enzyme_dup, place, reverse, enzyme_dup, g,
                          seed);
  CLOSE(product(forward, against), expected);
  CLOSE(product(reverse, along), expected);
}
#endif

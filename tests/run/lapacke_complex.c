// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-9
/* LAPACK on complex numbers by its C interface, on matrices by columns and by rows. */
#include "cases.h"

#include "lapacke_complex.h"

#define POINTS_12 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35

/* Matrices of order 3: Hermitian and positive definite, of which a triangle is meant; of full rank,
 * with rows to exchange; Hermitian with distinct values. */
static inline void filled(const real *x, real *a) {
  for (int i = 0; i < 18; i++)
    a[i] = x[(5 * i + i / 6) % 12] / 4;
}

static inline void definite(const real *x, real *a) {
  filled(x, a);
  for (int i = 0; i < 3; i++)
    a[8 * i] = 3 + x[4 * i] * x[4 * i];
}

static inline void full_rank(const real *x, real *a) {
  filled(x, a);
  a[2] += 5;
  a[6] += 4;
  a[16] += 3;
}

static inline void distinct(const real *x, real *a) {
  filled(x, a);
  for (int i = 0; i < 3; i++)
    a[8 * i] += 1 + 3 * i;
}

/* --- Each by columns and by rows: `ld` is the leading dimension of what has 3 rows and 2 columns.
 * -- */

static inline void definite_in(int order, int ld, real *x, real *y) {
  real a[18];
  definite(x, a);
  ZCLAPACK(potrf)(order, 'U', 3, a, 3);
  ZCLAPACK(potrs)(order, 'U', 3, 2, a, 3, y, ld);
  ZCLAPACK(potri)(order, 'U', 3, a, 3);
  y[0] *= a[0];
  definite(x, a);
  ZCLAPACK(posv)(order, 'L', 3, 2, a, 3, y, ld);
  x[1] = y[1] * a[8];
}

MAP(complex_definite_by_columns, 12, 12, POINTS_12) { definite_in(COLUMNS, 3, x, y); }

MAP(complex_definite_by_rows, 12, 12, POINTS_12) { definite_in(ROWS, 2, x, y); }

static inline void triangles_in(int order, int ld, real *x, real *y) {
  real a[18];
  definite(x, a);
  ZCLAPACK(trtrs)(order, 'L', 'C', 'N', 3, 2, a, 3, y, ld);
  ZCLAPACK(trtri)(order, 'U', 'N', 3, a, 3);
  int corner = order == ROWS ? 4 : 12;
  y[0] *= a[8] * a[corner] + a[corner + 1];
}

MAP(complex_triangles_by_columns, 12, 12, POINTS_12) { triangles_in(COLUMNS, 3, x, y); }

MAP(complex_triangles_by_rows, 12, 12, POINTS_12) { triangles_in(ROWS, 2, x, y); }

static inline void factors_in(int order, int ld, real *x, real *y) {
  real a[18];
  int pivots[3];
  full_rank(x, a);
  ZCLAPACK(getrf)(order, 3, 3, a, 3, pivots);
  ZCLAPACK(getrs)(order, 'C', 3, 2, a, 3, pivots, y, ld);
  ZCLAPACK(getri)(order, 3, a, 3, pivots);
  y[0] = y[0] * a[1] + a[4] * a[15];
  full_rank(x, a);
  ZCLAPACK(gesv)(order, 3, 2, a, 3, pivots, y, ld);
}

MAP(complex_factors_by_columns, 12, 12, POINTS_12) { factors_in(COLUMNS, 3, x, y); }

MAP(complex_factors_by_rows, 12, 12, POINTS_12) { factors_in(ROWS, 2, x, y); }

static inline void reflections_in(int order, int ld, real *x, real *y) {
  real a[18], tau[6];
  full_rank(x, a);
  ZCLAPACK(geqrf)(order, 3, 3, a, 3, tau);
  ZCLAPACK(unmqr)(order, 'L', 'C', 3, 2, 3, a, 3, tau, y, ld);
  y[1] *= a[0];
  ZCLAPACK(ungqr)(order, 3, 3, 3, a, 3, tau);
  y[3] += a[2] * a[7];
  full_rank(x, a);
  ZCLAPACK(gels)(order, 'N', 3, 3, 2, a, 3, y, ld);
}

MAP(complex_reflections_by_columns, 12, 12, POINTS_12) { reflections_in(COLUMNS, 3, x, y); }

MAP(complex_reflections_by_rows, 12, 12, POINTS_12) { reflections_in(ROWS, 2, x, y); }

static inline void eigenvalues_in(int order, real *x, real *y) {
  real a[18], w[3];
  distinct(x, a);
  ZCLAPACK(heev)(order, 'N', 'L', 3, a, 3, y);
  distinct(x, a);
  ZCLAPACK(heevd)(order, 'V', 'U', 3, a, 3, w);
  int own = order == ROWS ? 2 : 6, other = 8;
  y[3] = a[own] * a[other] - a[own + 1] * a[other + 1] + w[1] * w[2];
}

MAP(complex_eigenvalues_by_columns, 12, 6, POINTS_12) { eigenvalues_in(COLUMNS, x, y); }

MAP(complex_eigenvalues_by_rows, 12, 6, POINTS_12) { eigenvalues_in(ROWS, x, y); }

static inline void moved_in(int order, real *x, real *y) {
  real a[18], b[18];
  filled(x, a);
  filled(x, b);
  ZCLAPACK(lacpy)(order, 'U', 3, 3, a, 3, b, 3);
  y[0] *= ZCLAPACK(lange)(order, 'I', 3, 3, b, 3);
  y[1] *= ZCLAPACK(lange)(order, '1', 3, 2, a, 3) + b[4] + b[12];
  y[2] *= ZCLAPACK(lange)(order, 'F', 2, 3, a, 3);
}

MAP(complex_moved_by_columns, 12, 6, POINTS_12) { moved_in(COLUMNS, x, y); }

MAP(complex_moved_by_rows, 12, 6, POINTS_12) { moved_in(ROWS, x, y); }

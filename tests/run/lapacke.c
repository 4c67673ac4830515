// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libraries: -lopenblas
// tolerance: 1e-9
/* LAPACK by its C interface, on matrices by columns and by rows. */
#include "cases.h"

#include "lapacke.h"

#define POINTS_12 0.7, -1.3, 0.4, 2.1, -0.6, 1.9, 0.25, -0.8, 1.1, 0.9, -1.7, 0.35

static inline void definite(const real *x, real *a) {
  for (int i = 0; i < 9; i++)
    a[i] = x[i] / 4;
  for (int i = 0; i < 3; i++)
    a[4 * i] = 3 + x[4 * i] * x[4 * i];
}

static inline void full_rank(const real *x, real *a) {
  for (int i = 0; i < 9; i++)
    a[i] = x[i] / 2 + (i == 2) * 5 + (i == 3) * 4 + (i == 7) * 3;
}

static inline void distinct(const real *x, real *a) {
  for (int i = 0; i < 9; i++)
    a[i] = x[i] / 4;
  for (int i = 0; i < 3; i++)
    a[4 * i] += 1 + 3 * i;
}

/* --- Each by columns and by rows: `ld` is the leading dimension of what has 3 rows and 2 columns.
 * -- */

/* Where the element in a row and a column of a 3 by 3 matrix stands. */
static inline int at(int order, int row, int column) {
  return order == ROWS ? 3 * row + column : row + 3 * column;
}

static inline void definite_in(int order, int ld, real *x, real *y) {
  real a[9];
  definite(x, a);
  CLAPACK(potrf)(order, 'U', 3, a, 3);
  CLAPACK(potrs)(order, 'U', 3, 2, a, 3, y, ld);
  CLAPACK(potri)(order, 'U', 3, a, 3);
  y[0] *= a[0];
  definite(x + 1, a);
  CLAPACK(posv)(order, 'L', 3, 2, a, 3, y, ld);
  x[1] = y[1] * a[4];
}

MAP(definite_by_columns, 12, 6, POINTS_12) { definite_in(COLUMNS, 3, x, y); }

MAP(definite_by_rows, 12, 6, POINTS_12) { definite_in(ROWS, 2, x, y); }

static inline void triangles_in(int order, int ld, real *x, real *y) {
  real a[9];
  definite(x, a);
  CLAPACK(trtrs)(order, 'L', 'T', 'N', 3, 2, a, 3, y, ld);
  CLAPACK(trtri)(order, 'U', 'N', 3, a, 3);
  y[0] *= a[4] * a[at(order, 0, 2)];
}

MAP(triangles_by_columns, 12, 6, POINTS_12) { triangles_in(COLUMNS, 3, x, y); }

MAP(triangles_by_rows, 12, 6, POINTS_12) { triangles_in(ROWS, 2, x, y); }

static inline void factors_in(int order, int ld, real *x, real *y) {
  int pivots[3];
  real a[9];
  full_rank(x, a);
  CLAPACK(getrf)(order, 3, 3, a, 3, pivots);
  CLAPACK(getrs)(order, 'N', 3, 2, a, 3, pivots, y, ld);
  CLAPACK(getri)(order, 3, a, 3, pivots);
  y[0] *= a[1];
  full_rank(x + 1, a);
  CLAPACK(gesv)(order, 3, 2, a, 3, pivots, y, ld);
}

MAP(factors_by_columns, 12, 6, POINTS_12) { factors_in(COLUMNS, 3, x, y); }

MAP(factors_by_rows, 12, 6, POINTS_12) { factors_in(ROWS, 2, x, y); }

static inline void reflections_in(int order, int ld, int columns, real *x, real *y) {
  real a[9], tau[3];
  full_rank(x, a);
  CLAPACK(geqrf)(order, 3, 3, a, 3, tau);
  CLAPACK(ormqr)(order, 'L', 'T', 3, 2, 3, a, 3, tau, y, ld);
  CLAPACK(orgqr)(order, 3, 3, 3, a, 3, tau);
  y[1] *= a[1] * tau[0];
  full_rank(x + 1, a);
  CLAPACK(gels)(order, 'N', 3, columns, 2, a, 3, y, ld);
}

MAP(reflections_by_columns, 12, 6, POINTS_12) { reflections_in(COLUMNS, 3, 2, x, y); }

MAP(reflections_by_rows, 12, 6, POINTS_12) { reflections_in(ROWS, 2, 3, x, y); }

static inline void eigenvalues_in(int order, real *x, real *y) {
  real a[9], w[3];
  distinct(x, a);
  CLAPACK(syev)(order, 'V', 'U', 3, a, 3, w);
  y[0] += a[at(order, 0, 1)] * a[at(order, 2, 1)] * w[0] + w[1];
  y[0] += a[at(order, 0, 1)] * a[at(order, 2, 1)] * w[2];
  distinct(x + 1, a);
  CLAPACK(syevd)(order, 'N', 'L', 3, a, 3, w);
  y[1] *= w[0] * w[2];
}

MAP(eigenvalues_by_columns, 12, 6, POINTS_12) { eigenvalues_in(COLUMNS, x, y); }

MAP(eigenvalues_by_rows, 12, 6, POINTS_12) { eigenvalues_in(ROWS, x, y); }

static inline void singular_values_in(int order, real *x, real *y) {
  real a[9], s[3], u[9], v[9], rest[3];
  distinct(x, a);
  CLAPACK(gesvd)(order, 'S', 'S', 3, 3, a, 3, s, u, 3, v, 3, rest);
  y[0] += u[at(order, 1, 0)] * v[at(order, 0, 1)] * s[0];
  distinct(x + 1, a);
  CLAPACK(gesdd)(order, 'N', 3, 3, a, 3, s, u, 3, v, 3);
  y[1] += s[0] * s[1];
}

MAP(singular_values_by_columns, 12, 6, POINTS_12) { singular_values_in(COLUMNS, x, y); }

MAP(singular_values_by_rows, 12, 6, POINTS_12) { singular_values_in(ROWS, x, y); }

static inline void moved_in(int order, real *x, real *y) {
  y[0] = CLAPACK(lange)(order, '1', 3, 3, x, 3) * CLAPACK(lange)(order, 'I', 3, 3, x, 3);
  CLAPACK(lacpy)(order, 'U', 3, 3, x, 3, y, 3);
  y[1] *= CLAPACK(lange)(order, 'F', 2, 3, x, 3);
}

MAP(moved_by_columns, 12, 9, POINTS_12) { moved_in(COLUMNS, x, y); }

MAP(moved_by_rows, 12, 9, POINTS_12) { moved_in(ROWS, x, y); }

#ifndef __cplusplus
/* A matrix by rows is the transpose of one by columns. */
__attribute__((unused)) static void turned(int m, int n, const real *by_columns, real *by_rows) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      by_rows[i * n + j] = by_columns[i + j * m];
}

CHECK(rows_and_columns_agree) {
  static const real a[9] = {4, 0.5, -0.25, 1, 5, 0.75, 0.125, -0.5, 6},
                    b[6] = {1, 2, 3, -1, 0.5, 2};
  real f[9], g[9], x[6], y[6], z[6], w[3], v[3];
  int pivots[3];
  memcpy(f, a, sizeof a), memcpy(x, b, sizeof b), turned(3, 3, a, g), turned(3, 2, b, y);
  CLAPACK(gesv)(COLUMNS, 3, 2, f, 3, pivots, x, 3);
  CLAPACK(gesv)(ROWS, 3, 2, g, 3, pivots, y, 2);
  turned(3, 2, x, z);
  EXPECT(y[0] + 2 * y[1] + 3 * y[4], z[0] + 2 * z[1] + 3 * z[4]);
  memcpy(f, a, sizeof a), memcpy(x, b, sizeof b), turned(3, 3, a, g), turned(3, 2, b, y);
  CLAPACK(posv)(COLUMNS, 'U', 3, 2, f, 3, x, 3);
  CLAPACK(posv)(ROWS, 'U', 3, 2, g, 3, y, 2);
  turned(3, 2, x, z);
  EXPECT(y[0] + 2 * y[1] + 3 * y[4], z[0] + 2 * z[1] + 3 * z[4]);
  EXPECT(f[3] + f[7], g[1] + g[5]);
  memcpy(f, a, sizeof a), memcpy(x, b, sizeof b), turned(3, 3, a, g), turned(3, 2, b, y);
  CLAPACK(trtrs)(COLUMNS, 'L', 'T', 'N', 3, 2, f, 3, x, 3);
  CLAPACK(trtrs)(ROWS, 'L', 'T', 'N', 3, 2, g, 3, y, 2);
  turned(3, 2, x, z);
  EXPECT(y[0] + 2 * y[1] + 3 * y[4], z[0] + 2 * z[1] + 3 * z[4]);
  EXPECT(CLAPACK(lange)(COLUMNS, '1', 3, 2, a, 3), CLAPACK(lange)(ROWS, '1', 3, 2, g, 3));
  CLAPACK(syev)(COLUMNS, 'V', 'L', 3, f, 3, w);
  CLAPACK(syev)(ROWS, 'V', 'L', 3, g, 3, v);
  EXPECT(w[0] * f[1] * f[2] + w[2], v[0] * g[3] * g[6] + v[2]);
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that only copy bytes: what these are, the code around the call of the derivative says.
 */
#include "cases.h"

extern void __enzyme_autodiff_around(void *, ...);
extern void __enzyme_fwddiff_around(void *, ...);
extern void __enzyme_double_around(void *, size_t);

static void copied(void *to, const void *from, int n) {
  memcpy(to, from, (size_t)n * sizeof(double));
}

CHECK(local_arrays) {
  double x[4] = {1, 2, 3, 4}, y[4], a[4] = {0.5}, b[4] = {5, 6, 7, 8};
  __enzyme_autodiff_around((void *)copied, y, b, x, a, 3);
  EXPECT(y[2], 3);
  EXPECT(a[0], 5.5);
  EXPECT(a[2], 7);
  EXPECT(a[3], 0);
  EXPECT(b[2], 0);
  EXPECT(b[3], 8);
}

CHECK(tangents_of_local_arrays) {
  double x[4] = {1, 2, 3, 4}, y[4], a[4] = {5, 6, 7, 8}, b[4] = {0};
  __enzyme_fwddiff_around((void *)copied, y, b, x, a, 3);
  EXPECT(b[2], 7);
  EXPECT(b[3], 0);
}

CHECK(allocated_arrays) {
  size_t bytes = 4 * sizeof(double);
  double *x = (double *)malloc(bytes), *y = (double *)malloc(bytes);
  double *a = (double *)calloc(1, bytes), *b = (double *)malloc(bytes);
  for (int i = 0; i < 4; i++) {
    x[i] = i;
    b[i] = i + 1;
  }
  __enzyme_autodiff_around((void *)copied, y, b, x, a, 4);
  for (int i = 0; i < 4; i++) {
    EXPECT(a[i], i + 1);
    EXPECT(b[i], 0);
  }
  free(x);
  free(y);
  free(a);
  free(b);
}

typedef struct {
  char bytes[8];
} Bytes;

static void copied_as_bytes(Bytes *to, const Bytes *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[i];
}

CHECK(copied_as_structs_of_bytes) {
  double x[4] = {1, 2, 3, 4}, y[4] = {0}, a[4] = {0.5}, b[4] = {5, 6, 7, 8};
  __enzyme_autodiff_around((void *)copied_as_bytes, y, b, x, a, 3);
  EXPECT(y[2], 3);
  EXPECT(a[0], 5.5);
  EXPECT(a[2], 7);
  EXPECT(a[3], 0);
  EXPECT(b[2], 0);
  EXPECT(b[3], 8);
}

static double global[4] = {1, 2, 3, 4};

static void shifted(double *x, double *y, int n) {
  double *t = (double *)malloc((size_t)n * sizeof *t);
  memcpy(t, x, (size_t)n * sizeof *t);
  memmove(x + 1, x, (size_t)(n - 2) * sizeof *x);
  memcpy(y + 1, t, (size_t)(n - 1) * sizeof *t);
  free(t);
}

CHECK(parts_that_overlap) {
  double y[4] = {0}, a[4] = {1, 10, 100, 1000}, b[4] = {2, 3, 4, 5};
  __enzyme_autodiff_around((void *)shifted, global, a, y, b, 4);
  EXPECT(a[0], 14);
  EXPECT(a[1], 104);
  EXPECT(a[2], 5);
  EXPECT(a[3], 1000);
  EXPECT(b[0], 2);
  EXPECT(b[1], 0);
}

typedef struct Row {
  double v[4];
} Row;

static void assigned(Row *to, const Row *from) {
  *to = *from;
  memcpy(&to->v[1], &from->v[0], 2 * sizeof(double));
}

CHECK(structs_of_arrays) {
  Row x = {{1, 2, 3, 4}}, y, a = {{0}}, b = {{5, 6, 7, 8}};
  __enzyme_autodiff_around((void *)assigned, &y, &b, &x, &a);
  EXPECT(a.v[0], 11);
  EXPECT(a.v[1], 7);
  EXPECT(a.v[2], 0);
  EXPECT(a.v[3], 8);
}

typedef struct Item {
  double value;
  long count;
} Item;

static void items_copied(void *to, const void *from, int n) {
  memcpy(to, from, (size_t)n * sizeof(Item));
}

/* Each call has the derivative that suits what it passes; integers in shadows stay. */
CHECK(structs_at_one_call_and_numbers_at_another) {
  Item x[2] = {{1, 7}, {2, 8}}, y[2], a[2] = {{0, 7}, {0, 8}}, b[2] = {{3, 7}, {4, 8}};
  double u[4] = {1, 2, 3, 4}, v[4], c[4] = {0}, d[4] = {3, 4, 5, 6};
  __enzyme_autodiff_around((void *)items_copied, y, b, x, a, 2);
  __enzyme_autodiff_around((void *)items_copied, v, d, u, c, 2);
  EXPECT(a[1].value, 4);
  EXPECT(a[1].count, 8);
  EXPECT(b[1].value, 0);
  EXPECT(b[1].count, 8);
  EXPECT(c[1], 4);
  EXPECT(c[3], 6);
}

static NOINLINE void handed_on(double *y, double *b, double *x, double *a) {
  __enzyme_autodiff_around((void *)copied, y, b, x, a, 3);
}

CHECK(handed_on_by_a_local_function) {
  double x[4] = {1, 2, 3, 4}, y[4], a[4] = {0}, b[4] = {5, 6, 7, 8};
  handed_on(y, b, x, a);
  EXPECT(a[1], 6);
  EXPECT(b[1], 0);
}

NOINLINE void told(double *y, double *b, double *x, double *a);
void told(double *y, double *b, double *x, double *a) {
  __enzyme_double_around(x, 3 * sizeof *x);
  __enzyme_autodiff_around((void *)copied, y, b, x, a, 3);
}

CHECK(told_by_a_hint_beside_the_call) {
  double x[4] = {1, 2, 3, 4}, y[4], a[4] = {0}, b[4] = {5, 6, 7, 8};
  told(y, b, x, a);
  EXPECT(a[1], 6);
  EXPECT(b[1], 0);
}

/* --- Structs whose integers LLVM moves as one. -------------------------------------------------
 */

typedef struct Grid {
  int rows, columns;
  double step;
  double z[3];
} Grid;

static double scaled(const Grid *from, Grid *to) {
  Grid g = *from;
  double sum = 0;
  g.step *= 2;
  for (int i = 0; i < 3; i++)
    sum += g.z[i] * g.step;
  *to = g;
  return sum * to->step;
}

CHECK(two_integers_as_one) {
  Grid g = {3, 2, 0.5, {1, 2, 3}}, d = {0}, to, a = {0};
  __enzyme_autodiff_around((void *)scaled, &g, &d, &to, &a);
  EXPECT(to.columns, 2);
  EXPECT(d.step, 24);
  EXPECT(d.z[1], 1);
  EXPECT(d.rows, 0);
}

/* The same bytes, where the program has a number there. */
typedef struct Plain {
  double first, step;
  double z[3];
} Plain;

static double scaled_plain(const Plain *from, Plain *to) {
  Plain g = *from;
  double sum = 0;
  g.step *= 2;
  for (int i = 0; i < 3; i++)
    sum += g.z[i] * g.step;
  *to = g;
  return sum * to->step;
}

CHECK(a_number_as_one) {
  Plain g = {3, 0.5, {1, 2, 3}}, d = {0}, to, a = {7};
  __enzyme_autodiff_around((void *)scaled_plain, &g, &d, &to, &a);
  EXPECT(d.step, 24);
  EXPECT(d.first, 7);
}

/* --- Walks over a part of a struct, of which LLVM leaves no type. ------------------------------
 */

typedef struct Plane {
  int rows, columns;
  double dx, dy;
  double z[6][5];
} Plane;

static double smoothed(const Plane *from) {
  Plane h = *from;
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    Plane t = h;
    for (int i = 1; i + 1 < h.rows; i++)
      for (int j = 1; j + 1 < h.columns; j++)
        t.z[i][j] = .25 * (h.z[i - 1][j] + h.z[i + 1][j] + h.z[i][j - 1] + h.z[i][j + 1]);
    h = t;
  }
  for (int i = 0; i + 1 < h.rows; i++)
    for (int j = 0; j + 1 < h.columns; j++)
      sum += h.z[i][j] * h.dx * h.dy;
  return sum;
}

CHECK(grids_that_are_copied) {
  Plane g = {6, 5, 0.5, 0.25, {{0}}}, d = {0};
  double sum = 0, adjoints = 0;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 5; j++)
      g.z[i][j] = i - j * j;
  __enzyme_autodiff_around((void *)smoothed, &g, &d);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 5; j++) {
      sum += g.z[i][j] * d.z[i][j];
      adjoints += d.z[i][j];
    }
  EXPECT(sum, d.dx * 0.5);
  EXPECT(sum, smoothed(&g));
  EXPECT(adjoints, 20 * 0.125);
}

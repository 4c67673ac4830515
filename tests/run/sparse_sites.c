// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sparse Jacobians by the function's loads: which functions have them, and what they are at other
 * points and with other data. */
// shows: __enzyme_fwdsites; __enzyme_sparsitysites
// reals: double
// differences: none
// split: none
// load: -fplugin
#include "cases.h"

#define NABLA_SPARSE_SITES 8
#include <nabla/sparse.h>

extern int __enzyme_fwdsites(void *, ...);
extern int __enzyme_sparsitysites(void *, ...);

enum { SIZE = 12 };

typedef struct {
  int n, flag;
  int left[SIZE], right[SIZE];
} Shape;

static Shape shape_of(void) {
  Shape shape = {SIZE, 0, {0}, {0}};
  for (int i = 0; i < SIZE; i++) {
    shape.left[i] = (i + SIZE - 1) % SIZE;
    shape.right[i] = (i + 1) % SIZE;
  }
  return shape;
}

static const double start[SIZE] = {0.5, 1.25, 2, 0.75, 1.5, 3, 0.25, 1.75, 2.5, 1, 2.25, 0.625};
static const double other[SIZE] = {1.5, 0.25, 1, 2.75, 0.5, 2, 1.25, 0.375, 1.5, 3, 0.875, 2};

/* How far the matrix is from the Jacobian by its directions apart, at x. */
static double distance(NablaSparse *matrix, const NablaSparseFunction *function, const double *x,
                       Shape *shape) {
  double largest = 0, y[SIZE], filled[SIZE];
  nabla_sparse_fill(matrix, x, filled, shape);
  for (int j = 0; j < SIZE; j++) {
    double lanes[NABLA_SPARSE_WIDTH][SIZE] = {{0}};
    double seeds[NABLA_SPARSE_WIDTH][SIZE] = {{0}};
    seeds[0][j] = 1;
    memset(y, 0, sizeof y);
    function->tangents(x, &seeds[0][0], sizeof seeds[0], y, &lanes[0][0], sizeof lanes[0], shape);
    for (int i = 0; i < SIZE; i++) {
      double value = 0;
      for (int entry = matrix->start[i]; entry < matrix->start[i + 1]; entry++)
        value += matrix->column[entry] == j ? matrix->value[entry] : 0;
      largest = fmax(largest, fabs(value - lanes[0][i]));
      largest = fmax(largest, fabs(filled[i] - y[i]));
    }
  }
  return largest;
}

#define EXPECT_RIGHT(matrix, function, x, shape)                                                   \
  EXPECT(distance(matrix, &function, x, &shape) < 1e-13, 1)

static void star(const double *x, double *y, void *data) {
  int n = ((Shape *)data)->n;
  for (int i = 0; i < n; i++) {
    double sum = 4 * x[i] - exp(x[i]);
    sum -= i > 0 ? x[i] * x[i - 1] : 0;
    sum -= i + 1 < n ? sin(x[i + 1]) : 0;
    y[i] = sum;
  }
}
NABLA_SPARSE_JACOBIAN(star_jacobian, star)

CHECK(stencils_are_by_loads) {
  Shape shape = shape_of();
  NablaSparse *matrix = nabla_sparse_new(&star_jacobian, SIZE, SIZE, start, &shape);
  EXPECT(matrix->plan->sites.column != NULL, 1);
  EXPECT(matrix->colours, 3);
  EXPECT_RIGHT(matrix, star_jacobian, start, shape);
  EXPECT_RIGHT(matrix, star_jacobian, other, shape);
  nabla_sparse_free(matrix);
}

static void two(const double *x, double *y) { y[0] = x[0] * x[1] + 5 * x[0]; }

CHECK(entries_and_masks_of_a_row) {
  double value[3] = {-1, -1, -1}, masks[2] = {0.5, 0.25}, lanes[2] = {7, 7}, y = 0;
  const int place[2] = {2, 0};
  EXPECT(__enzyme_fwdsites((void *)two, enzyme_width, 2, enzyme_dupv, 0, start, value, enzyme_dup,
                           &y, place),
         2);
  EXPECT(y, start[0] * start[1] + 5 * start[0]);
  EXPECT(value[2], start[1] + 5);
  EXPECT(value[1], -1);
  EXPECT(value[0], start[0]);
  EXPECT(__enzyme_sparsitysites((void *)two, enzyme_width, 2, enzyme_dupv, 0, start, masks,
                                enzyme_dup, &y, lanes),
         2);
  EXPECT(lanes[0], 0.5);
  EXPECT(lanes[1], 0.25);
}

/* What is chosen changes with x; which columns could be chosen does not. */
static void largest(const double *x, double *y, void *data) {
  const Shape *shape = data;
  for (int i = 0; i < shape->n; i++)
    y[i] = fmax(x[i] * x[i], x[shape->left[i]]) + fabs(x[i] - x[shape->right[i]]);
}
NABLA_SPARSE_JACOBIAN(largest_jacobian, largest)

CHECK(choices_between_numbers) {
  Shape shape = shape_of();
  NablaSparse *matrix = nabla_sparse_new(&largest_jacobian, SIZE, SIZE, start, &shape);
  EXPECT_RIGHT(matrix, largest_jacobian, start, shape);
  EXPECT(nabla_sparse_extend(matrix, other, &shape) > 0, 1);
  EXPECT_RIGHT(matrix, largest_jacobian, other, shape);
  EXPECT_RIGHT(matrix, largest_jacobian, start, shape);
  nabla_sparse_free(matrix);
}

/* Two loads may be of one column. */
static void products(const double *x, double *y, void *data) {
  const Shape *shape = data;
  for (int i = 0; i < shape->n; i++)
    y[i] = x[shape->left[i]] * x[shape->right[i]] * x[i];
}
NABLA_SPARSE_JACOBIAN(products_jacobian, products)

CHECK(loads_of_one_column) {
  Shape shape = shape_of();
  shape.left[3] = shape.right[3] = 3;
  shape.left[5] = shape.right[5];
  NablaSparse *matrix = nabla_sparse_new(&products_jacobian, SIZE, SIZE, start, &shape);
  EXPECT(matrix->plan->sites.column != NULL, 1);
  EXPECT_RIGHT(matrix, products_jacobian, start, shape);
  EXPECT_RIGHT(matrix, products_jacobian, other, shape);
  nabla_sparse_free(matrix);
}

/* The same pattern, of other loads: then it is by colours. */
CHECK(loads_that_change_places) {
  Shape shape = shape_of(), mirrored = shape;
  memcpy(mirrored.left, shape.right, sizeof shape.right);
  memcpy(mirrored.right, shape.left, sizeof shape.left);
  NablaSparse *matrix = nabla_sparse_new(&products_jacobian, SIZE, SIZE, start, &shape);
  nabla_sparse_fill(matrix, start, NULL, &shape);
  const double *value = matrix->value;
  double before = value[0];
  EXPECT(nabla_sparse_extend(matrix, start, &mirrored), 0);
  EXPECT(value == matrix->value && before != 0 && value[0] == before, 1);
  EXPECT(matrix->plan->sites.column == NULL, 1);
  EXPECT_RIGHT(matrix, products_jacobian, other, shape);
  EXPECT_RIGHT(matrix, products_jacobian, other, mirrored);
  EXPECT(nabla_sparse_extend(matrix, start, &shape), 0);
  EXPECT(matrix->plan->sites.column == NULL, 1);
  nabla_sparse_free(matrix);
}

/* Rows that are written with some data alone. */
static void some_rows(const double *x, double *y, void *data) {
  const Shape *shape = data;
  for (int i = shape->flag; i < shape->n; i++)
    y[i] = x[i] * x[shape->right[i]];
}
NABLA_SPARSE_JACOBIAN(some_rows_jacobian, some_rows)

CHECK(rows_that_are_not_written) {
  Shape shape = shape_of(), shorter = shape;
  shorter.flag = 5;
  NablaSparse *matrix = nabla_sparse_new(&some_rows_jacobian, SIZE, SIZE, start, &shape);
  EXPECT(nabla_sparse_extend(matrix, start, &shorter), 0);
  EXPECT_RIGHT(matrix, some_rows_jacobian, start, shape);
  EXPECT_RIGHT(matrix, some_rows_jacobian, start, shorter);
  EXPECT_RIGHT(matrix, some_rows_jacobian, other, shape);
  nabla_sparse_free(matrix);
}

/* Which numbers are computed depends on numbers; where they are read and written does not. */
static void limited(const double *x, double *y, void *data) {
  const Shape *shape = data;
  for (int i = 0; i < shape->n; i++) {
    double here = x[i], before = here - x[shape->left[i]], behind = x[shape->right[i]] - here;
    double slope = 0;
    if (before * behind > 0) {
      slope = sqrt(before * behind);
      if (before > 1)
        slope = exp(-slope) * behind;
    }
    y[i] = here * here + slope;
  }
}
NABLA_SPARSE_JACOBIAN(limited_jacobian, limited)

static double wind(double speed, double before, double behind) {
  return speed > 1 ? speed * sin(before) : speed * cos(behind);
}
static void upwind(const double *x, double *y, void *data) {
  const Shape *shape = data;
  for (int i = 0; i < shape->n; i++) {
    double before = x[shape->left[i]], behind = x[shape->right[i]];
    y[i] = wind(x[i], before, behind) + wind(2 - x[i], behind, before) * before * behind;
  }
}
NABLA_SPARSE_JACOBIAN(upwind_jacobian, upwind)

/* A call that stays one is not looked into. */
#ifdef __OPTIMIZE__
enum { INLINED = 1 };
#else
enum { INLINED = 0 };
#endif

CHECK(ways_that_numbers_choose) {
  Shape shape = shape_of();
  const NablaSparseFunction *functions[] = {&limited_jacobian, &upwind_jacobian};
  for (int i = 0; i < 1 + INLINED; i++) {
    NablaSparse *matrix = nabla_sparse_new(functions[i], SIZE, SIZE, start, &shape);
    EXPECT(matrix->plan->sites.column != NULL, 1);
    EXPECT(distance(matrix, functions[i], start, &shape) < 1e-13, 1);
    nabla_sparse_extend(matrix, other, &shape);
    EXPECT(matrix->plan->sites.column != NULL, 1);
    EXPECT(distance(matrix, functions[i], other, &shape) < 1e-13, 1);
    EXPECT(distance(matrix, functions[i], start, &shape) < 1e-13, 1);
    nabla_sparse_free(matrix);
  }
}

/* From one iteration to the next. */
static void carried(const double *x, double *y, void *data) {
  double last = 1;
  for (int i = 0; i < ((Shape *)data)->n; i++) {
    y[i] = x[i] * last;
    last = sin(x[i]);
  }
}
NABLA_SPARSE_JACOBIAN(carried_jacobian, carried)

/* Parts of rows, from each of two sides. */
static void sides(const double *x, double *y, void *data) {
  const Shape *shape = data;
  for (int i = 0; i < shape->n; i++)
    y[i] = x[i] * x[i];
  for (int i = 0; i + 1 < shape->n; i++) {
    double flux = (x[i] + x[i + 1]) * (x[i + 1] - x[i]);
    y[i] += flux;
    y[i + 1] -= flux;
  }
}
NABLA_SPARSE_JACOBIAN(sides_jacobian, sides)

static void cleared(const double *x, double *y, void *data) {
  const Shape *shape = data;
  memset(y, 0, sizeof(double) * (size_t)shape->n);
  for (int i = 0; i < shape->n; i++) {
    y[shape->left[i]] += x[i] * x[i];
    y[shape->right[i]] -= x[i];
  }
}
NABLA_SPARSE_JACOBIAN(cleared_jacobian, cleared)

/* Rows that are read again, before they get what is no entry. */
static void reactions(const double *x, double *y, void *data) {
  int n = ((Shape *)data)->n;
  for (int i = 0; i < n; i++)
    y[i] = i < n / 2 ? x[i] * x[i + 1] : x[i] * x[i];
  for (int i = 0; i < n / 2; i++)
    y[i] = y[i + n / 2] - y[i];
  for (int i = n / 2; i < n; i++)
    y[i] = i;
}
NABLA_SPARSE_JACOBIAN(reactions_jacobian, reactions)

static void reversed(const double *x, double *y, void *data) {
  int n = ((Shape *)data)->n;
  for (int i = 0; i < n; i++)
    y[i] = i % 3 ? x[i] * x[((Shape *)data)->left[i]] : i;
  for (int i = 0; i < n / 2; i++) {
    double kept = y[i];
    y[i] = y[n - 1 - i];
    y[n - 1 - i] = kept;
  }
}
NABLA_SPARSE_JACOBIAN(reversed_jacobian, reversed)

/* A load in a loop gives a row several columns. */
static void sums(const double *x, double *y, void *data) {
  const Shape *shape = data;
  for (int i = 0; i < shape->n; i++) {
    double sum = 0;
    for (int j = i > 2 ? i - 2 : 0; j <= i; j++)
      sum += x[j] * x[j];
    y[i] = sum;
  }
}
NABLA_SPARSE_JACOBIAN(sums_jacobian, sums)

/* Numbers say which numbers are read. */
static void sorted(const double *x, double *y, void *data) {
  for (int i = 0; i + 1 < ((Shape *)data)->n; i++) {
    int low = x[i] < x[i + 1] ? i : i + 1, high = 2 * i + 1 - low;
    y[i] = x[low] * x[low] + 3 * x[high];
  }
  y[((Shape *)data)->n - 1] = x[0];
}
NABLA_SPARSE_JACOBIAN(sorted_jacobian, sorted)

static void rounded(const double *x, double *y, void *data) {
  int n = ((Shape *)data)->n;
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[((int)x[0] + i) % n];
}
NABLA_SPARSE_JACOBIAN(rounded_jacobian, rounded)

/* More than there are directions. */
static void broad(const double *x, double *y, void *data) {
  y[0] = x[0] * x[1] + x[2] * x[3] + x[4] * x[5] + x[6] * x[7] + x[8] * x[9] + x[10] * x[11];
  (void)data;
}
NABLA_SPARSE_JACOBIAN(broad_jacobian, broad)

#define EXPECT_ANYWHERE(function)                                                                  \
  {                                                                                                \
    Shape shape = shape_of();                                                                      \
    NablaSparse *matrix = nabla_sparse_new(&function, SIZE, SIZE, start, &shape);                  \
    nabla_sparse_extend(matrix, other, &shape);                                                    \
    EXPECT_RIGHT(matrix, function, start, shape);                                                  \
    EXPECT_RIGHT(matrix, function, other, shape);                                                  \
    EXPECT_RIGHT(matrix, function, start, shape);                                                  \
    nabla_sparse_free(matrix);                                                                     \
  }

CHECK(by_loads_or_not) {
  EXPECT_ANYWHERE(limited_jacobian);
  EXPECT_ANYWHERE(upwind_jacobian);
  EXPECT_ANYWHERE(carried_jacobian);
  EXPECT_ANYWHERE(sides_jacobian);
  EXPECT_ANYWHERE(cleared_jacobian);
  EXPECT_ANYWHERE(reactions_jacobian);
  EXPECT_ANYWHERE(reversed_jacobian);
  EXPECT_ANYWHERE(sums_jacobian);
  EXPECT_ANYWHERE(sorted_jacobian);
  EXPECT_ANYWHERE(rounded_jacobian);
  EXPECT_ANYWHERE(broad_jacobian);
}

enum { MANY = 100 };

/* Numbers that are only moved, whose masks may look like anything. */
static void moved(const double *x, double *y, void *data) {
  (void)data;
  for (int i = 0; i < MANY; i++)
    y[i] = i % 7 ? x[i] : 4 * x[i] - x[i + 1] - x[(i + 9) % MANY];
}
NABLA_SPARSE_JACOBIAN(moved_jacobian, moved)

CHECK(numbers_that_are_moved) {
  double x[MANY + 1], y[MANY];
  for (int i = 0; i <= MANY; i++)
    x[i] = i;
  NablaSparseFunction coloured = moved_jacobian;
  coloured.site_width = 0;
  const NablaSparseFunction *functions[] = {&moved_jacobian, &coloured};
  for (int i = 0; i < 2; i++) {
    NablaSparse *matrix = nabla_sparse_new(functions[i], MANY, MANY + 1, x, NULL);
    nabla_sparse_fill(matrix, x, y, NULL);
    EXPECT(matrix->start[1], 3);
    EXPECT(matrix->value[0], 4);
    EXPECT(matrix->value[3], 1);
    nabla_sparse_free(matrix);
  }
}

/* Numbers and indices decide, and are not the same with other numbers: these stay by colours. */
CHECK(paths_that_depend_on_numbers) {
  Shape shape = shape_of();
  const NablaSparseFunction *functions[] = {&sorted_jacobian, &rounded_jacobian, &broad_jacobian};
  for (int i = 0; i < 3; i++) {
    NablaSparse *matrix = nabla_sparse_new(functions[i], SIZE, SIZE, start, &shape);
    EXPECT(matrix->plan->sites.column == NULL, 1);
    nabla_sparse_free(matrix);
  }
}

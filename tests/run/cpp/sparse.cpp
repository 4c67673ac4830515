// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sparse Jacobians and Hessians against dense ones by dual numbers, whose nonzeros at a generic
 * point are the pattern. */
// reals: double
// differences: none
// load: -fplugin
#include "cases.h"

#include "dual.hpp"

#include <nabla/sparse.h>

#include <vector>

using Numbers = std::vector<double>;
using Duals = std::vector<Dual<double>>;

/* Numbers in (-1, 1) that follow from a seed. */
static double generic(unsigned &state) {
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / (1 << 23) - 1;
}

static Numbers point(int size, unsigned seed) {
  Numbers x((size_t)size);
  for (double &number : x)
    number = generic(seed);
  return x;
}

/* Column j of the derivative, by dual numbers. */
template <class F> static Numbers dense_column(F f, const Numbers &at, int rows, int j) {
  Duals x(at.begin(), at.end()), y((size_t)rows, Dual<double>(0));
  x[(size_t)j].tangent = 1;
  f(x.data(), y.data());
  Numbers column;
  for (const Dual<double> &number : y)
    column.push_back(number.tangent);
  return column;
}

/* Entries of row i in column j: more than one only if something is wrong. */
static int entries_at(const NablaSparse *matrix, int i, int j, double *value) {
  int count = 0;
  for (int entry = matrix->start[i]; entry < matrix->start[i + 1]; entry++) {
    bool here = matrix->column[entry] == j;
    count += here;
    *value = here ? matrix->value[entry] : *value;
  }
  return count;
}

/* How many numbers of the matrix are not those of the dense one, and how many entries of the
 * pattern not its nonzeros, where `generic` says that these are all. */
template <class F>
static int differences(const NablaSparse *matrix, F f, const Numbers &x, bool generic) {
  int wrong = 0;
  for (int j = 0; j < matrix->columns; j++) {
    Numbers column = dense_column(f, x, matrix->rows, j);
    for (int i = 0; i < matrix->rows; i++) {
      double value = 0, expected = column[(size_t)i];
      int count = entries_at(matrix, i, j, &value);
      wrong += generic ? count != (expected != 0) : count > 1;
      wrong += !(fabs(value - expected) <= 1e-11 * (1 + fabs(expected)));
    }
  }
  return wrong;
}

/* Pairs of columns of one colour that share a row. */
static int clashes(const NablaSparse *matrix) {
  int count = 0;
  const int *colour = matrix->plan->colour;
  for (int i = 0; colour && i < matrix->rows; i++)
    for (int a = matrix->start[i]; a < matrix->start[i + 1]; a++)
      for (int b = a + 1; b < matrix->start[i + 1]; b++)
        count += colour[matrix->column[a]] == colour[matrix->column[b]];
  return count;
}

/* The matrix found where everything is zero, and filled at a generic point. */
template <class F>
static int check_one(const NablaSparseFunction *function, F f, int rows, int columns, void *data) {
  Numbers zeros((size_t)columns + 1), x = point(columns, 7);
  NablaSparse *matrix = nabla_sparse_new(function, rows, columns, zeros.data(), data);
  if (!matrix)
    return -1;
  nabla_sparse_fill(matrix, x.data(), NULL, data);
  int wrong = differences(matrix, f, x, true);
  wrong += function->symmetric ? 0 : clashes(matrix);
  wrong += nabla_sparse_extend(matrix, x.data(), data) != 0;
  nabla_sparse_fill(matrix, zeros.data(), NULL, data);
  wrong += differences(matrix, f, zeros, false);
  nabla_sparse_free(matrix);
  return wrong;
}

/* The same by the function's loads, where that can be, by colours side by side, and apart. */
template <class F>
static int check_matrix(const NablaSparseFunction *function, F f, int rows, int columns,
                        void *data) {
  NablaSparseFunction coloured = *function, apart = *function;
  coloured.site_width = apart.site_width = 0;
  apart.interleaved = NULL;
  return check_one(function, f, rows, columns, data) +
         check_one(&coloured, f, rows, columns, data) + check_one(&apart, f, rows, columns, data);
}

/* A grid of its own size, each point with its four neighbours. */
struct Grid {
  int height, width;
};

template <class R> static void stencil(const R *x, R *y, const Grid &grid) {
  for (int i = 0; i < grid.height; i++)
    for (int j = 0; j < grid.width; j++) {
      const R *at = x + i * grid.width + j;
      R sum = 4 * *at * *at * *at;
      if (i > 0)
        sum -= at[-grid.width] * *at;
      if (i + 1 < grid.height)
        sum -= sin(at[grid.width]);
      if (j > 0)
        sum -= at[-1];
      if (j + 1 < grid.width)
        sum -= at[1] / 3;
      y[i * grid.width + j] = sum;
    }
}

static void stencil_of(const double *x, double *y, void *data) {
  stencil(x, y, *(const Grid *)data);
}
NABLA_SPARSE_JACOBIAN(stencil_jacobian, stencil_of)

CHECK(grids_of_any_size) {
  const Grid grids[] = {{1, 1}, {1, 9}, {2, 2}, {5, 7}, {13, 11}};
  for (Grid grid : grids) {
    int size = grid.height * grid.width;
    auto dense = [&](const Dual<double> *x, Dual<double> *y) { stencil(x, y, grid); };
    EXPECT(check_matrix(&stencil_jacobian, dense, size, size, &grid), 0);
  }
}

/* Rows of up to `most` random columns; rows of none, and columns that nobody reads, among them. */
struct Random {
  int rows, columns, most;
};

template <class R> static void scattered(const R *x, R *y, const Random &shape) {
  unsigned state = 5;
  for (int i = 0; i < shape.rows; i++) {
    int count = (int)((generic(state) + 1) / 2 * (shape.most + 1));
    R product = 1, sum = 0;
    for (int k = 0; k < count; k++) {
      const R &chosen = x[(int)((generic(state) + 1) / 2 * shape.columns)];
      product *= 2 + chosen;
      sum += chosen;
    }
    y[i] = product + sum * sum;
  }
}

static void scattered_of(const double *x, double *y, void *data) {
  scattered(x, y, *(const Random *)data);
}
NABLA_SPARSE_JACOBIAN(scattered_jacobian, scattered_of)

CHECK(scattered_entries) {
  const Random shapes[] = {{0, 3, 2},  {3, 0, 0},    {3, 1, 1},    {1, 200, 150},
                           {40, 9, 4}, {30, 200, 3}, {150, 70, 6}, {60, 64, 60}};
  for (Random shape : shapes) {
    auto dense = [&](const Dual<double> *x, Dual<double> *y) { scattered(x, y, shape); };
    EXPECT(check_matrix(&scattered_jacobian, dense, shape.rows, shape.columns, &shape), 0);
  }
}

/* Numbers of float hold shorter masks. */
template <class R, class S> static void mixed(const R *x, R *y, int size) {
  for (int i = 0; i < size; i++) {
    S narrow = S(x[i] * x[(i + 3) % size]);
    y[i] = R(narrow) + x[(i + 1) % size];
  }
}

static void mixed_of(const double *x, double *y, void *data) {
  mixed<double, float>(x, y, *(int *)data);
}
NABLA_SPARSE_JACOBIAN(mixed_jacobian, mixed_of)

CHECK(formats) {
  int size = 90;
  Numbers zeros((size_t)size);
  NablaSparse *matrix = nabla_sparse_new(&mixed_jacobian, size, size, zeros.data(), &size);
  EXPECT(matrix->start[size], 3 * size);
  EXPECT(clashes(matrix), 0);
  nabla_sparse_free(matrix);
}

/* Where branches and choices go another way, a point adds to the pattern. */
template <class R> static void branching(const R *x, R *y) {
  y[0] = x[0] > 0 ? x[1] * x[0] : x[2];
  y[1] = fmax(x[1], x[2]);
  y[2] = x[2];
  if (x[1] > 1)
    y[2] = x[0] * x[1];
}

static void branching_of(const double *x, double *y, void *data) {
  (void)data;
  branching(x, y);
}
NABLA_SPARSE_JACOBIAN(branching_jacobian, branching_of)

CHECK(paths) {
  auto dense = [](const Dual<double> *x, Dual<double> *y) { branching(x, y); };
  Numbers first = {-1, 0.5, 3}, second = {2, 4, 3};
  NablaSparse *matrix = nabla_sparse_new(&branching_jacobian, 3, 3, first.data(), NULL);
  EXPECT(matrix->start[3], 3);
  nabla_sparse_fill(matrix, first.data(), NULL, NULL);
  EXPECT(differences(matrix, dense, first, true), 0);
  EXPECT(nabla_sparse_extend(matrix, second.data(), NULL), 5);
  for (const Numbers &x : {first, second}) {
    Numbers y(3);
    nabla_sparse_fill(matrix, x.data(), y.data(), NULL);
    EXPECT(differences(matrix, dense, x, false), 0);
    EXPECT(y[1], fmax(x[1], x[2]));
  }
  EXPECT(nabla_sparse_extend(matrix, first.data(), NULL), 0);
  nabla_sparse_free(matrix);
}

/* Chains, a variable that all meet, and one that nobody does. */
static double objective(const double *x, void *data) {
  int size = *(int *)data;
  double sum = 0;
  for (int i = 0; i + 2 < size; i++)
    sum += x[i] * x[i] * x[i + 1] + exp(x[i] * x[size - 1]);
  return sum;
}
NABLA_SPARSE_HESSIAN(objective_hessian, objective)

template <class R> static void gradient(const R *x, R *g, int size) {
  for (int i = 0; i < size; i++)
    g[i] = 0;
  for (int i = 0; i + 2 < size; i++) {
    R grown = exp(x[i] * x[size - 1]);
    g[i] += 2 * x[i] * x[i + 1] + x[size - 1] * grown;
    g[i + 1] += x[i] * x[i];
    g[size - 1] += x[i] * grown;
  }
}

CHECK(hessians) {
  const int sizes[] = {1, 3, 4, 17, 70};
  for (int size : sizes) {
    auto dense = [&](const Dual<double> *x, Dual<double> *y) { gradient(x, y, size); };
    EXPECT(check_matrix(&objective_hessian, dense, size, size, &size), 0);
  }
}

/* Neighbours on a grid, and its gradient. */
static double energy(const double *x, void *data) {
  const Grid &grid = *(const Grid *)data;
  double sum = 0;
  for (int i = 0; i + 1 < grid.height; i++)
    for (int j = 0; j + 1 < grid.width; j++) {
      const double *at = x + i * grid.width + j;
      double down = at[grid.width] - at[0], right = at[1] - at[0];
      sum += sqrt(1 + down * down + right * right);
    }
  return sum;
}
NABLA_SPARSE_HESSIAN(energy_hessian, energy)

template <class R> static void forces(const R *x, R *g, const Grid &grid) {
  for (int i = 0; i < grid.height * grid.width; i++)
    g[i] = 0;
  for (int i = 0; i + 1 < grid.height; i++)
    for (int j = 0; j + 1 < grid.width; j++) {
      int at = i * grid.width + j;
      R down = x[at + grid.width] - x[at], right = x[at + 1] - x[at];
      R root = sqrt(1 + down * down + right * right);
      g[at + grid.width] += down / root;
      g[at + 1] += right / root;
      g[at] -= (down + right) / root;
    }
}

CHECK(hessians_of_a_grid) {
  Grid grid = {9, 8};
  auto dense = [&](const Dual<double> *x, Dual<double> *y) { forces(x, y, grid); };
  EXPECT(check_matrix(&energy_hessian, dense, 72, 72, &grid), 0);
}

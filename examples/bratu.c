// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Newton's method for Bratu's equation, -laplace(u) = 6 exp(u) in the unit square and 0 around it:
 * `bratu N` on a grid of N by N points. The residual is all that is written; where its Jacobian
 * has entries is found, and they are computed in one run. Compared with a Jacobian by hand.
 */
#include <math.h>
#include <nabla/sparse.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  int n;
  double source; /* 6 h^2 */
} Grid;

static void residual(const double *u, double *r, void *data) {
  const Grid *grid = data;
  int n = grid->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const double *at = u + i * n + j;
      double sum = 4 * *at - grid->source * exp(*at);
      sum -= i > 0 ? at[-n] : 0;
      sum -= i + 1 < n ? at[n] : 0;
      sum -= j > 0 ? at[-1] : 0;
      sum -= j + 1 < n ? at[1] : 0;
      r[i * n + j] = sum;
    }
  }
}
NABLA_SPARSE_JACOBIAN(residual_jacobian, residual)

/* The same by hand: values in the order of compressed rows. Returns how many there are. */
static int by_hand(const Grid *grid, const double *u, double *value) {
  int n = grid->n, next = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (i > 0)
        value[next++] = -1;
      if (j > 0)
        value[next++] = -1;
      value[next++] = 4 - grid->source * exp(u[i * n + j]);
      if (j + 1 < n)
        value[next++] = -1;
      if (i + 1 < n)
        value[next++] = -1;
    }
  }
  return next;
}

static double dot(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

static void multiply(const NablaSparse *matrix, const double *x, double *y) {
  for (int i = 0; i < matrix->rows; i++) {
    y[i] = 0;
    for (int entry = matrix->start[i]; entry < matrix->start[i + 1]; entry++)
      y[i] += matrix->value[entry] * x[matrix->column[entry]];
  }
}

/* Subtracts from u the solution of matrix * x = r by conjugate gradients; r is used up. `room` has
 * space for two vectors. */
static void subtract_solution(const NablaSparse *matrix, double *r, double *u, double *room) {
  int size = matrix->rows;
  double *direction = room, *product = room + size;
  double squared = dot(r, r, size), goal = 1e-24 * squared;
  for (int i = 0; i < size; i++)
    direction[i] = r[i];
  while (squared > goal) {
    multiply(matrix, direction, product);
    double step = squared / dot(direction, product, size), before = squared;
    for (int i = 0; i < size; i++) {
      u[i] -= step * direction[i];
      r[i] -= step * product[i];
    }
    squared = dot(r, r, size);
    for (int i = 0; i < size; i++)
      direction[i] = r[i] + squared / before * direction[i];
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double *numbers(int count) { return calloc((size_t)count, sizeof(double)); }

/* How far the values are from those by hand; prints how long both take, at best. */
static double compare(NablaSparse *jacobian, Grid *grid, const double *u) {
  int size = jacobian->rows, count = jacobian->start[size];
  double *expected = numbers(count), *r = numbers(size);
  double found = 1e9, hand = 1e9, error = 0;
  for (int run = 0; run < 20; run++) {
    double start = seconds();
    nabla_sparse_fill(jacobian, u, r, grid);
    double middle = seconds();
    error += by_hand(grid, u, expected) != count;
    found = fmin(found, middle - start);
    hand = fmin(hand, seconds() - middle);
  }
  for (int entry = 0; entry < count; entry++)
    error = fmax(error, fabs(jacobian->value[entry] - expected[entry]));
  printf("%d entries in %d directions: %.3g ms, by hand %.3g ms, largest difference %.2g\n", count,
         jacobian->colours, 1e3 * found, 1e3 * hand, error);
  free(expected);
  free(r);
  return error;
}

/* Returns the norm of the last residual. */
static double solve(NablaSparse *jacobian, Grid *grid, double *u) {
  int size = jacobian->rows;
  double *r = numbers(size), *room = numbers(2 * size), norm = 1;
  for (int step = 0; step < 8 && norm > 1e-11; step++) {
    nabla_sparse_fill(jacobian, u, r, grid);
    norm = sqrt(dot(r, r, size));
    printf("step %d: residual %.2e\n", step, norm);
    subtract_solution(jacobian, r, u, room);
  }
  free(r);
  free(room);
  return norm;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  Grid grid = {n, 6.0 / ((n + 1.0) * (n + 1.0))};
  double *u = numbers(n * n);
  double start = seconds();
  NablaSparse *jacobian = nabla_sparse_new(&residual_jacobian, n * n, n * n, u, &grid);
  if (!jacobian)
    return 1;
  printf("pattern found in %.3g ms\n", 1e3 * (seconds() - start));
  double norm = solve(jacobian, &grid, u);
  double error = compare(jacobian, &grid, u);
  nabla_sparse_free(jacobian);
  free(u);
  return !(norm < 1e-11 && error < 1e-12);
}

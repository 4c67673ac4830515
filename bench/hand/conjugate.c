// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/conjugate.c by hand, step by step: of each, what is searched along, its
 * image and the residual are kept. (Where the steps converge, a second solution is shorter.)
 */
#include "../bench.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int n, steps;
  const int *starts, *columns;
  const double *values;
  double *history; /* search, image and residual after it, of each step */
  double *lengths; /* of the residual before each step, squared, and after the last */
  double *curves;  /* search times image */
} Run;

static void times(const Run *run, const double *restrict x, double *restrict out) {
  const double *restrict values = run->values;
  for (int i = 0; i < run->n; i++) {
    double sum = 0;
    for (int k = run->starts[i]; k < run->starts[i + 1]; k++)
      sum += values[k] * x[run->columns[k]];
    out[i] = sum;
  }
}

/* From the adjoint of the image to those of the values and of x, to which it adds. */
static void times_back(const Run *run, const double *restrict x, const double *restrict adjoint,
                       double *restrict d_values, double *restrict d_x) {
  const double *restrict values = run->values;
  for (int i = 0; i < run->n; i++)
    for (int k = run->starts[i]; k < run->starts[i + 1]; k++) {
      d_values[k] += adjoint[i] * x[run->columns[k]];
      d_x[run->columns[k]] += adjoint[i] * values[k];
    }
}

static double dot(int n, const double *restrict x, const double *restrict y) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

/* The sums that only the adjoints need may be added up in any order. */
static double any_dot(int n, const double *restrict x, const double *restrict y) {
#pragma clang fp reassociate(on)
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static double *kept(const Run *run, int step, int which) {
  return run->history + (3 * (size_t)step + (size_t)which) * (size_t)run->n;
}

/* What is searched along stands in the history; the residual before it at `before`. The solution
 * itself is not needed. */
static void step(const Run *run, int t, const double *restrict before) {
  int n = run->n;
  const double *restrict search = kept(run, t, 0);
  double *restrict image = kept(run, t, 1);
  double *restrict residual = kept(run, t, 2);
  times(run, search, image);
  run->curves[t] = dot(n, search, image);
  double size = run->lengths[t] / run->curves[t];
  for (int i = 0; i < n; i++)
    residual[i] = before[i] - size * image[i];
  run->lengths[t + 1] = dot(n, residual, residual);
  double turn = run->lengths[t + 1] / run->lengths[t];
  double *restrict next = kept(run, t + 1, 0);
  for (int i = 0; i < n; i++)
    next[i] = residual[i] + turn * search[i];
}

/* The adjoints of the residual, of what is searched along and of its image, and that of the
 * residual's length; those of the solution are the weights. */
typedef struct {
  double *residual, *search, *image;
  double length;
} Adjoints;

static void step_back(const Run *run, int t, const double *restrict weights, Adjoints *adjoints,
                      double *restrict d_values) {
  int n = run->n;
  const double *restrict search = kept(run, t, 0);
  const double *restrict image = kept(run, t, 1);
  const double *restrict residual = kept(run, t, 2);
  double *restrict d_residual = adjoints->residual;
  double *restrict d_search = adjoints->search;
  double *restrict d_image = adjoints->image;
  double size = run->lengths[t] / run->curves[t];
  double turn = run->lengths[t + 1] / run->lengths[t];
  double d_turn = any_dot(n, d_search, search);
  double d_next = adjoints->length + d_turn / run->lengths[t];
  for (int i = 0; i < n; i++)
    d_residual[i] += d_search[i] + 2 * d_next * residual[i];
  double d_size = any_dot(n, weights, search) - any_dot(n, d_residual, image);
  double d_curve = -d_size * size / run->curves[t];
  adjoints->length = d_size / run->curves[t] - d_turn * turn / run->lengths[t];
  for (int i = 0; i < n; i++) {
    d_search[i] = turn * d_search[i] + size * weights[i] + d_curve * image[i];
    d_image[i] = d_curve * search[i] - size * d_residual[i];
  }
  times_back(run, search, d_image, d_values, d_search);
}

void conjugate_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0] * problem->sizes[0];
  int steps = problem->sizes[1];
  const double *right = problem->x;
  size_t bytes = sizeof(double) * (size_t)n;
  Run run = {.n = n,
             .steps = steps,
             .starts = problem->labels,
             .columns = problem->labels + n + 1,
             .values = problem->x + n};
  run.history = malloc(bytes * (3 * (size_t)steps + 1));
  run.lengths = malloc(sizeof(double) * (2 * (size_t)steps + 1));
  run.curves = run.lengths + steps + 1;
  double *room = calloc(3 * (size_t)n, sizeof(double));
  memcpy(run.history, right, bytes);
  run.lengths[0] = dot(n, right, right);
  for (int t = 0; t < steps; t++)
    step(&run, t, t > 0 ? kept(&run, t - 1, 2) : right);
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  Adjoints adjoints = {room, room + n, room + 2 * n, 0};
  for (int t = steps - 1; t >= 0; t--)
    step_back(&run, t, problem->data, &adjoints, gradient + n);
  for (int i = 0; i < n; i++)
    gradient[i] = adjoints.residual[i] + adjoints.search[i] + 2 * adjoints.length * right[i];
  free(run.history);
  free(run.lengths);
  free(room);
}

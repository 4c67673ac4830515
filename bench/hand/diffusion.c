// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/diffusion.c by hand. Each step is kept, written where it is computed. The
 * way back goes over the rows once a step: the adjoints of the fluxes follow from those of the
 * cells and are never stored, and what a row gives to the next waits in a buffer of one row.
 */
#include "../bench.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 0.05;

static double *doubles(int count) { return malloc(sizeof(double) * (size_t)count); }

static double flux(double conductivity, double from, double to) {
  double middle = 0.5 * (from + to);
  return conductivity * (1 + middle * middle) * (to - from);
}

/* One step of a row, which reads its fluxes to the south from the row above. */
static void step_row(int n, const double *restrict u, const double *restrict c,
                     double *restrict east, const double *restrict north, double *restrict south,
                     double *restrict next) {
  for (int j = 0; j < n - 1; j++) {
    east[j] = flux(c[j], u[j], u[j + 1]);
    south[j] = flux(c[j], u[j], u[j + n]);
  }
  next[0] = u[0];
  for (int j = 1; j < n - 1; j++)
    next[j] = u[j] + STEP * (east[j] - east[j - 1] + south[j] - north[j]);
  next[n - 1] = u[n - 1];
}

/* Writes all states, one after another, the first of which is there. */
static void run(int n, int steps, const double *restrict c, double *restrict history) {
  double *rows = doubles(3 * n);
  for (int t = 0; t < steps; t++) {
    const double *u = history + (size_t)t * n * n;
    double *next = history + (size_t)(t + 1) * n * n;
    double *north = rows;
    double *south = rows + n;
    double *east = rows + 2 * n;
    for (int i = 0; i < n - 1; i++) {
      step_row(n, u + i * n, c + i * n, east, north, south, next + i * n);
      double *swap = north;
      north = south;
      south = swap;
    }
    memcpy(next, u, sizeof(double) * (size_t)n);
    memcpy(next + n * (n - 1), u + n * (n - 1), sizeof(double) * (size_t)n);
  }
  free(rows);
}

/*
 * The fluxes of one row backwards: `now` are the adjoints after the step, zero at the border. Each
 * flux adds to the conductivity, and to the cell itself and to those in its east and its south.
 */
static void row_back(int n, const double *restrict u, const double *restrict c,
                     const double *restrict now, double *restrict dc, double *restrict own,
                     double *restrict east, double *restrict south) {
  for (int j = 0; j < n - 1; j++) {
    double to_east = STEP * (now[j] - now[j + 1]);
    double to_south = STEP * (now[j] - now[j + n]);
    double middle_east = 0.5 * (u[j] + u[j + 1]);
    double middle_south = 0.5 * (u[j] + u[j + n]);
    double growth_east = 1 + middle_east * middle_east;
    double growth_south = 1 + middle_south * middle_south;
    double rise_east = u[j + 1] - u[j];
    double rise_south = u[j + n] - u[j];
    dc[j] += to_east * growth_east * rise_east + to_south * growth_south * rise_south;
    double both_east = to_east * c[j] * middle_east * rise_east;
    double both_south = to_south * c[j] * middle_south * rise_south;
    double end_east = to_east * c[j] * growth_east;
    double end_south = to_south * c[j] * growth_south;
    own[j] = now[j] + both_east - end_east + both_south - end_south;
    east[j + 1] = both_east + end_east;
    south[j] = both_south + end_south;
  }
}

static void inner_row(int n, const double *restrict own, const double *restrict east,
                      const double *restrict north, double *restrict out) {
  for (int j = 1; j < n - 1; j++)
    out[j] = own[j] + east[j] + north[j];
}

static void border_row(int n, const double *restrict own, const double *restrict east,
                       const double *restrict north, double *restrict out) {
  for (int j = 1; j < n - 1; j++)
    out[j] += own[j] + east[j] + north[j];
}

/* The adjoints before the step; what belongs to the border goes to `border`. */
static void step_back(int n, const double *restrict u, const double *restrict c,
                      const double *restrict now, double *restrict before, double *restrict border,
                      double *restrict dc, double *restrict rows) {
  double *own = rows;
  double *east = rows + n;
  double *north = rows + 2 * n;
  double *south = rows + 3 * n;
  memset(rows, 0, sizeof(double) * 4 * (size_t)n);
  for (int i = 0; i < n; i++) {
    if (i < n - 1)
      row_back(n, u + i * n, c + i * n, now + i * n, dc + i * n, own, east, south);
    else
      memset(rows, 0, sizeof(double) * 2 * (size_t)n);
    border[i * n] += own[0] + north[0];
    border[i * n + n - 1] += east[n - 1] + north[n - 1];
    if (i == 0 || i == n - 1)
      border_row(n, own, east, north, border + i * n);
    else
      inner_row(n, own, east, north, before + i * n);
    double *swap = north;
    north = south;
    south = swap;
  }
}

static void border_zero(int n, double *u) {
  memset(u, 0, sizeof(double) * (size_t)n);
  memset(u + n * (n - 1), 0, sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    u[i * n] = u[i * n + n - 1] = 0;
}

/* The seeds: inside to `now`, at the border to `border`. */
static void misfit_back(int n, const double *restrict u, const double *restrict target,
                        double *restrict now, double *restrict border) {
  for (int i = 0; i < n * n; i++)
    now[i] = border[i] = u[i] - target[i];
  border_zero(n, now);
}

void diffusion_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  int cells = n * n;
  int steps = problem->sizes[1];
  const double *c = problem->x + cells;
  double *history = malloc(sizeof(double) * (size_t)cells * (size_t)(steps + 1));
  double *now = doubles(cells);
  double *before = calloc((size_t)cells, sizeof(double));
  double *rows = doubles(4 * n);
  memcpy(history, problem->x, sizeof(double) * (size_t)cells);
  run(n, steps, c, history);
  const double *last = history + (size_t)steps * cells;
  memcpy(problem->state, last, sizeof(double) * (size_t)cells);
  misfit_back(n, last, problem->data, now, gradient);
  memset(gradient + cells, 0, sizeof(double) * (size_t)cells);
  for (int t = steps - 1; t >= 0; t--) {
    step_back(n, history + (size_t)t * cells, c, now, before, gradient, gradient + cells, rows);
    double *swap = now;
    now = before;
    before = swap;
  }
  for (int i = 1; i < n - 1; i++)
    memcpy(gradient + i * n + 1, now + i * n + 1, sizeof(double) * (size_t)(n - 2));
  free(history);
  free(now);
  free(before);
  free(rows);
}

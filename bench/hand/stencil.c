// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/stencil.c by hand. Each state is kept, written where it is computed. The
 * way back gathers: the adjoints of the border's cells, which only add up, are kept by themselves.
 */
#include "../bench.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 0.05;

static void advance(int n, const double *restrict rates, const double *restrict u,
                    double *restrict next) {
  memcpy(next, u, sizeof(double) * (size_t)n * (size_t)n * (size_t)n);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        int at = (i * n + j) * n + k;
        double spread = u[at - 1] + u[at + 1] + u[at - n] + u[at + n] + u[at - n * n] +
                        u[at + n * n] - 6 * u[at];
        next[at] = u[at] + STEP * (spread + rates[at] * u[at] * (1 - u[at]));
      }
}

/* `now` and `before` are zero at the border. */
static void advance_back(int n, const double *restrict rates, const double *restrict u,
                         const double *restrict now, double *restrict before,
                         double *restrict d_rates) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int k = 1; k < n - 1; k++) {
        int at = (i * n + j) * n + k;
        double spread = now[at - 1] + now[at + 1] + now[at - n] + now[at + n] + now[at - n * n] +
                        now[at + n * n] - 6 * now[at];
        double growth = now[at] * (1 - 2 * u[at]);
        before[at] = now[at] + STEP * (spread + rates[at] * growth);
        d_rates[at] += STEP * now[at] * u[at] * (1 - u[at]);
      }
}

/* One side of the cube, whose cells are two strides apart, gets from the cells within. */
static void side_back(int n, int first, int stride, int other, int within,
                      const double *restrict now, double *restrict border) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int at = first + i * stride + j * other;
      border[at] += STEP * now[at + within];
    }
}

static void border_back(int n, const double *restrict now, double *restrict border) {
  int plane = n * n;
  side_back(n, 0, n, 1, plane, now, border);
  side_back(n, (n - 1) * plane, n, 1, -plane, now, border);
  side_back(n, 0, plane, 1, n, now, border);
  side_back(n, (n - 1) * n, plane, 1, -n, now, border);
  side_back(n, 0, plane, n, 1, now, border);
  side_back(n, n - 1, plane, n, -1, now, border);
}

/* Copies what is not at the border. */
static void copy_within(int n, const double *restrict from, double *restrict to) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      int at = (i * n + j) * n + 1;
      memcpy(to + at, from + at, sizeof(double) * (size_t)(n - 2));
    }
}

void stencil_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  int steps = problem->sizes[1];
  size_t cells = (size_t)n * (size_t)n * (size_t)n;
  const double *rates = problem->x + cells;
  double *history = malloc(sizeof(double) * cells * (size_t)(steps + 1));
  double *room = calloc(2 * cells, sizeof(double));
  double *now = room;
  double *before = room + cells;
  memcpy(history, problem->x, sizeof(double) * cells);
  for (size_t t = 0; t < (size_t)steps; t++)
    advance(n, rates, history + t * cells, history + (t + 1) * cells);
  memcpy(gradient, history + (size_t)steps * cells, sizeof(double) * cells);
  memset(gradient + cells, 0, sizeof(double) * cells);
  copy_within(n, gradient, now);
  for (size_t t = (size_t)steps; t-- > 0;) {
    border_back(n, now, gradient);
    advance_back(n, rates, history + t * cells, now, before, gradient + cells);
    double *swap = now;
    now = before;
    before = swap;
  }
  copy_within(n, now, gradient);
  free(history);
  free(room);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The Brusselator (Prigogine and Lefever, 1968) with diffusion on a torus of n * n cells, by the
 * classical method of Runge and Kutta. The result is half the squared length of the last state: the
 * concentrations of one substance, then of the other.
 */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 5e-3;
static const double DIFFUSION = 2;
static const double FED = 1, REMOVED = 3.4;

/* The five cells around one, of both substances; each is at the centre of its row. */
typedef struct {
  const double *here, *above, *below;
} Rows;

static double spread(Rows u, int west, int at, int east) {
  return DIFFUSION * (u.here[west] + u.here[east] + u.above[at] + u.below[at] - 4 * u.here[at]);
}

static void cell(Rows u, Rows v, int west, int at, int east, double *RESTRICT du,
                 double *RESTRICT dv) {
  double reaction = u.here[at] * u.here[at] * v.here[at];
  du[at] = FED + reaction - (REMOVED + 1) * u.here[at] + spread(u, west, at, east);
  dv[at] = REMOVED * u.here[at] - reaction + spread(v, west, at, east);
}

static void row(int n, Rows u, Rows v, double *RESTRICT du, double *RESTRICT dv) {
  cell(u, v, n - 1, 0, 1, du, dv);
  for (int j = 1; j < n - 1; j++)
    cell(u, v, j - 1, j, j + 1, du, dv);
  cell(u, v, n - 2, n - 1, 0, du, dv);
}

static Rows rows_at(int n, const double *u, int i) {
  int above = i > 0 ? i - 1 : n - 1;
  int below = i < n - 1 ? i + 1 : 0;
  return (Rows){u + i * n, u + above * n, u + below * n};
}

static void change(int n, const double *RESTRICT y, double *RESTRICT k) {
  for (int i = 0; i < n; i++)
    row(n, rows_at(n, y, i), rows_at(n, y + n * n, i), k + i * n, k + n * n + i * n);
}

/* The change at y + step k. */
static void stage(int n, double step, const double *RESTRICT y, const double *RESTRICT k,
                  double *RESTRICT here, double *RESTRICT out) {
  for (int i = 0; i < 2 * n * n; i++)
    here[i] = y[i] + step * k[i];
  change(n, here, out);
}

static double brusselator(int n, int steps, double *RESTRICT y) {
  int count = 2 * n * n;
  double *room = malloc(sizeof(double) * 5 * (size_t)count);
  double *k[4] = {room, room + count, room + 2 * count, room + 3 * count};
  double *here = room + 4 * count;
  for (int t = 0; t < steps; t++) {
    change(n, y, k[0]);
    stage(n, 0.5 * STEP, y, k[0], here, k[1]);
    stage(n, 0.5 * STEP, y, k[1], here, k[2]);
    stage(n, STEP, y, k[2], here, k[3]);
    for (int i = 0; i < count; i++)
      y[i] += STEP / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  free(room);
  double length = 0;
  for (int i = 0; i < count; i++)
    length += 0.5 * y[i] * y[i];
  return length;
}

static double primal(const Problem *p) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  return brusselator(p->sizes[0], p->sizes[1], p->state);
}

static double forward(const Problem *p, const double *direction) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memcpy(p->tangent, direction, sizeof(double) * (size_t)p->states);
  return __enzyme_fwddiff((void *)brusselator, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_dup, p->state, p->tangent);
}

static void reverse(const Problem *p, double *gradient) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)brusselator, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_dup, p->state, gradient);
}

const Kernel VARIANT(brusselator) = {primal, forward, reverse};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/brusselator.c by hand. The states of all stages are kept. Diffusion is its
 * own transpose, so that the way back gathers as the way forth does.
 */
#include "../bench.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 4 };

static const double STEP = 5e-3;
static const double DIFFUSION = 2;
static const double FED = 1, REMOVED = 3.4;
static const double WEIGHTS[STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/* By how much of each stage's change the state of the next differs from the step's first. */
static const double REACH[STAGES] = {0.5, 0.5, 1, 0};

/* out = the spread of u, on the torus */
static void spread(int n, const double *restrict u, double *restrict out) {
  for (int i = 0; i < n; i++) {
    const double *here = u + i * n;
    const double *above = u + (i > 0 ? i - 1 : n - 1) * n;
    const double *below = u + (i < n - 1 ? i + 1 : 0) * n;
    double *to = out + i * n;
    to[0] = DIFFUSION * (here[n - 1] + here[1] + above[0] + below[0] - 4 * here[0]);
    for (int j = 1; j < n - 1; j++)
      to[j] = DIFFUSION * (here[j - 1] + here[j + 1] + above[j] + below[j] - 4 * here[j]);
    to[n - 1] = DIFFUSION * (here[n - 2] + here[0] + above[n - 1] + below[n - 1] - 4 * here[n - 1]);
  }
}

static void change(int n, const double *restrict y, double *restrict k) {
  int cells = n * n;
  const double *v = y + cells;
  double *dv = k + cells;
  spread(n, y, k);
  spread(n, v, dv);
  for (int i = 0; i < cells; i++) {
    double reaction = y[i] * y[i] * v[i];
    k[i] += FED + reaction - (REMOVED + 1) * y[i];
    dv[i] += REMOVED * y[i] - reaction;
  }
}

/* d_y = the transposed derivative of change at y, times k */
static void change_back(int n, const double *restrict y, const double *restrict k,
                        double *restrict d_y) {
  int cells = n * n;
  const double *v = y + cells;
  const double *kv = k + cells;
  double *d_v = d_y + cells;
  spread(n, k, d_y);
  spread(n, kv, d_v);
  for (int i = 0; i < cells; i++) {
    double reaction = k[i] - kv[i];
    d_y[i] += REMOVED * kv[i] - (REMOVED + 1) * k[i] + 2 * reaction * y[i] * v[i];
    d_v[i] += reaction * y[i] * y[i];
  }
}

/* `kept` has room for the states of the four stages, and of what follows: the next step's first. */
static void step(int n, double *restrict kept, double *restrict k) {
  int count = 2 * n * n;
  double *next = kept + STAGES * count;
  memcpy(next, kept, sizeof(double) * (size_t)count);
  for (int s = 0; s < STAGES; s++) {
    change(n, kept + s * count, k);
    for (int i = 0; i < count; i++)
      next[i] += STEP * WEIGHTS[s] * k[i];
    if (s < STAGES - 1)
      for (int i = 0; i < count; i++)
        kept[(s + 1) * count + i] = kept[i] + STEP * REACH[s] * k[i];
  }
}

/* From the adjoints after the step to those before it; room for 3 states. */
static void step_back(int n, const double *restrict kept, double *restrict d_y,
                      double *restrict room) {
  int count = 2 * n * n;
  double *k = room;
  double *stage = room + count;
  double *sum = room + 2 * count;
  memcpy(sum, d_y, sizeof(double) * (size_t)count);
  memset(stage, 0, sizeof(double) * (size_t)count);
  for (int s = STAGES - 1; s >= 0; s--) {
    for (int i = 0; i < count; i++)
      k[i] = STEP * (WEIGHTS[s] * d_y[i] + REACH[s] * stage[i]);
    change_back(n, kept + s * count, k, stage);
    for (int i = 0; i < count; i++)
      sum[i] += stage[i];
  }
  memcpy(d_y, sum, sizeof(double) * (size_t)count);
}

void brusselator_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  int steps = problem->sizes[1];
  size_t count = 2 * (size_t)n * (size_t)n;
  double *history = malloc(sizeof(double) * count * (STAGES * (size_t)steps + 1));
  double *room = malloc(sizeof(double) * 3 * count);
  memcpy(history, problem->x, sizeof(double) * count);
  for (int t = 0; t < steps; t++)
    step(n, history + STAGES * count * (size_t)t, room);
  memcpy(gradient, history + STAGES * count * (size_t)steps, sizeof(double) * count);
  for (int t = steps - 1; t >= 0; t--)
    step_back(n, history + STAGES * count * (size_t)t, gradient, room);
  free(history);
  free(room);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of kernels/rk4.c by hand: the states of all stages are kept. */
#include "../bench.h"
#include "predator.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 4, KEPT = STAGES * SPECIES };

static const double STEP = 1e-3;
static const double WEIGHTS[STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/* By how much of each stage's change the state of the next differs from the step's first. */
static const double REACH[STAGES] = {0.5, 0.5, 1, 0};

/* Writes the states of the four stages of a step, and goes it. */
static void step(const double *restrict rates, double *restrict y, double *restrict kept) {
  double here[SPECIES] = {y[0], y[1]};
  double sum[SPECIES] = {0};
  for (int s = 0; s < STAGES; s++) {
    double k[SPECIES];
    change(rates, here, k);
    for (int i = 0; i < SPECIES; i++) {
      kept[s * SPECIES + i] = here[i];
      here[i] = y[i] + STEP * REACH[s] * k[i];
      sum[i] += WEIGHTS[s] * k[i];
    }
  }
  for (int i = 0; i < SPECIES; i++)
    y[i] += STEP * sum[i];
}

static void step_back(const double *restrict rates, const double *restrict kept,
                      double *restrict d_rates, double *restrict d_y) {
  double before[SPECIES] = {d_y[0], d_y[1]};
  double next[SPECIES] = {0};
  for (int s = STAGES - 1; s >= 0; s--) {
    double adjoint[SPECIES];
    for (int i = 0; i < SPECIES; i++)
      adjoint[i] = STEP * (WEIGHTS[s] * d_y[i] + REACH[s] * next[i]);
    memset(next, 0, sizeof(next));
    change_back(rates, kept + s * SPECIES, adjoint, d_rates, next);
    for (int i = 0; i < SPECIES; i++)
      before[i] += next[i];
  }
  memcpy(d_y, before, sizeof(before));
}

void rk4_hand(const Problem *problem, double *gradient) {
  int steps = problem->sizes[0];
  const double *rates = problem->x;
  double *history = malloc(sizeof(double) * KEPT * (size_t)steps);
  double y[SPECIES] = {problem->x[RATES], problem->x[RATES + 1]};
  double d_rates[RATES] = {0};
  for (int t = 0; t < steps; t++)
    step(rates, y, history + KEPT * t);
  for (int t = steps - 1; t >= 0; t--)
    step_back(rates, history + KEPT * t, d_rates, y);
  memcpy(gradient, d_rates, sizeof(d_rates));
  memcpy(gradient + RATES, y, sizeof(y));
  free(history);
}

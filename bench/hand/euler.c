// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of kernels/euler.c by hand: each state is kept. */
#include "../bench.h"
#include "predator.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 1e-4;

/* Returns all states, one after another; owned by the caller. */
static double *run(int steps, const double *restrict rates, const double *restrict start) {
  double *history = malloc(sizeof(double) * SPECIES * (size_t)(steps + 1));
  double y[SPECIES] = {start[0], start[1]};
  for (int t = 0; t < steps; t++) {
    double k[SPECIES];
    memcpy(history + SPECIES * t, y, sizeof(y));
    change(rates, y, k);
    for (int i = 0; i < SPECIES; i++)
      y[i] += STEP * k[i];
  }
  memcpy(history + SPECIES * steps, y, sizeof(y));
  return history;
}

void euler_hand(const Problem *problem, double *gradient) {
  int steps = problem->sizes[0];
  double *history = run(steps, problem->x, problem->x + RATES);
  double d_rates[RATES] = {0};
  double d_y[SPECIES] = {history[SPECIES * steps], history[SPECIES * steps + 1]};
  for (int t = steps - 1; t >= 0; t--) {
    double adjoint[SPECIES] = {STEP * d_y[0], STEP * d_y[1]};
    change_back(problem->x, history + SPECIES * t, adjoint, d_rates, d_y);
  }
  memcpy(gradient, d_rates, sizeof(d_rates));
  memcpy(gradient + RATES, d_y, sizeof(d_y));
  free(history);
}

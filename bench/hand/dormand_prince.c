// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/dormand_prince.c by hand. Of each step that is accepted the states of the
 * stages and its size are kept; what decides on the sizes has no derivative.
 */
#include "../bench.h"
#include "../tableau.h"
#include "predator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The last stage only estimates the error. */
enum { USED = STAGES - 1 };

typedef struct {
  double size;
  double states[STAGES][SPECIES];
} Step;

typedef struct {
  Step *steps;
  int count, room;
} History;

/* Room for one more step. */
static Step *history_next(History *history) {
  if (history->count == history->room) {
    history->room = 2 * history->room + 16;
    history->steps = realloc(history->steps, sizeof(Step) * (size_t)history->room);
  }
  return history->steps + history->count;
}

static void stages(const double *restrict rates, const double *restrict y, Step *restrict step,
                   double (*restrict k)[SPECIES]) {
  for (int s = 0; s < STAGES; s++) {
    for (int i = 0; i < SPECIES; i++) {
      double next = y[i];
      for (int before = 0; before < s; before++)
        next += step->size * TABLEAU[s][before] * k[before][i];
      step->states[s][i] = next;
    }
    change(rates, step->states[s], k[s]);
  }
}

static double error_of(double step, double (*restrict k)[SPECIES]) {
  double squares = 0;
  for (int i = 0; i < SPECIES; i++) {
    double error = 0;
    for (int s = 0; s < STAGES; s++)
      error += step * DIFFERENCE[s] * k[s][i];
    squares += error * error;
  }
  return sqrt(squares);
}

/* Leaves in y the state at the end. */
static History run(double end, const double *restrict rates, double *restrict y) {
  History history = {0};
  double time = 0;
  double size = FIRST_STEP;
  while (time < end) {
    double k[STAGES][SPECIES];
    Step *step = history_next(&history);
    step->size = fmin(size, end - time);
    stages(rates, y, step, k);
    double error = error_of(step->size, k);
    if (error <= TOLERANCE) {
      time += step->size;
      memcpy(y, step->states[STAGES - 1], sizeof(double) * SPECIES);
      history.count++;
    }
    size = step->size * (error > TOLERANCE ? 0.5 : error < SMALL_ERROR ? 2 : 1);
  }
  return history;
}

static void step_back(const double *restrict rates, const Step *restrict step,
                      double *restrict d_rates, double *restrict d_y) {
  double states[STAGES][SPECIES] = {0};
  double before[SPECIES] = {d_y[0], d_y[1]};
  memcpy(states[USED], d_y, sizeof(double) * SPECIES);
  for (int s = USED - 1; s >= 0; s--) {
    double adjoint[SPECIES] = {0};
    for (int later = s + 1; later <= USED; later++)
      for (int i = 0; i < SPECIES; i++)
        adjoint[i] += step->size * TABLEAU[later][s] * states[later][i];
    change_back(rates, step->states[s], adjoint, d_rates, states[s]);
    for (int i = 0; i < SPECIES; i++)
      before[i] += states[s][i];
  }
  memcpy(d_y, before, sizeof(before));
}

void dormand_prince_hand(const Problem *problem, double *gradient) {
  double y[SPECIES] = {problem->x[RATES], problem->x[RATES + 1]};
  double d_rates[RATES] = {0};
  History history = run(problem->sizes[0], problem->x, y);
  for (int t = history.count - 1; t >= 0; t--)
    step_back(problem->x, history.steps + t, d_rates, y);
  memcpy(gradient, d_rates, sizeof(d_rates));
  memcpy(gradient + RATES, y, sizeof(y));
  free(history.steps);
}

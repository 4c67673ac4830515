// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Prey and predators by the method of Dormand and Prince (1980), whose steps are halved where the
 * estimated error is above a tolerance, and doubled where it is far below.
 */
#include "../tableau.h"
#include "predator.h"

#include <math.h>
#include <string.h>

/* Writes the changes at all stages, and the state after the step, which is the last stage's. */
static void stages(double step, const double *RESTRICT rates, const double *RESTRICT y,
                   double (*RESTRICT k)[SPECIES], double *RESTRICT next) {
  for (int s = 0; s < STAGES; s++) {
    for (int i = 0; i < SPECIES; i++) {
      next[i] = y[i];
      for (int before = 0; before < s; before++)
        next[i] += step * TABLEAU[s][before] * k[before][i];
    }
    change(rates, next, k[s]);
  }
}

static double error_of(double step, double (*RESTRICT k)[SPECIES]) {
  double squares = 0;
  for (int i = 0; i < SPECIES; i++) {
    double error = 0;
    for (int s = 0; s < STAGES; s++)
      error += step * DIFFERENCE[s] * k[s][i];
    squares += error * error;
  }
  return sqrt(squares);
}

static double dormand_prince(double end, const double *RESTRICT rates,
                             const double *RESTRICT start) {
  double y[SPECIES] = {start[0], start[1]};
  double time = 0;
  double step = FIRST_STEP;
  while (time < end) {
    double k[STAGES][SPECIES];
    double next[SPECIES];
    step = fmin(step, end - time);
    stages(step, rates, y, k, next);
    double error = error_of(step, k);
    if (error <= TOLERANCE) {
      time += step;
      memcpy(y, next, sizeof(y));
    }
    step *= error > TOLERANCE ? 0.5 : error < SMALL_ERROR ? 2 : 1;
  }
  return half_square(y);
}

static double primal(const Problem *p) { return dormand_prince(p->sizes[0], p->x, p->x + RATES); }

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)dormand_prince, enzyme_const, (double)p->sizes[0], enzyme_dup,
                          p->x, direction, enzyme_dup, p->x + RATES, direction + RATES);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)dormand_prince, enzyme_const, (double)p->sizes[0], enzyme_dup, p->x,
                    gradient, enzyme_dup, p->x + RATES, gradient + RATES);
}

const Kernel VARIANT(dormand_prince) = {primal, forward, reverse};

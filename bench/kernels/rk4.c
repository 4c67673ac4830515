// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Prey and predators by the classical method of Runge and Kutta. */
#include "predator.h"

#include <string.h>

static const double STEP = 1e-3;

/* The change at y + step k. */
static void stage(double step, const double *RESTRICT rates, const double *RESTRICT y,
                  const double *RESTRICT k, double *RESTRICT out) {
  double here[SPECIES];
  for (int i = 0; i < SPECIES; i++)
    here[i] = y[i] + step * k[i];
  change(rates, here, out);
}

static double rk4(int steps, const double *RESTRICT rates, const double *RESTRICT start) {
  double y[SPECIES] = {start[0], start[1]};
  for (int t = 0; t < steps; t++) {
    double k[4][SPECIES];
    change(rates, y, k[0]);
    stage(0.5 * STEP, rates, y, k[0], k[1]);
    stage(0.5 * STEP, rates, y, k[1], k[2]);
    stage(STEP, rates, y, k[2], k[3]);
    for (int i = 0; i < SPECIES; i++)
      y[i] += STEP / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
  return half_square(y);
}

static double primal(const Problem *p) { return rk4(p->sizes[0], p->x, p->x + RATES); }

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)rk4, enzyme_const, p->sizes[0], enzyme_dup, p->x, direction,
                          enzyme_dup, p->x + RATES, direction + RATES);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)rk4, enzyme_const, p->sizes[0], enzyme_dup, p->x, gradient, enzyme_dup,
                    p->x + RATES, gradient + RATES);
}

const Kernel VARIANT(rk4) = {primal, forward, reverse};

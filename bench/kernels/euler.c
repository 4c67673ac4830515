// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Prey and predators by Euler's method. */
#include "predator.h"

#include <string.h>

static const double STEP = 1e-4;

static double euler(int steps, const double *RESTRICT rates, const double *RESTRICT start) {
  double y[SPECIES] = {start[0], start[1]};
  for (int t = 0; t < steps; t++) {
    double k[SPECIES];
    change(rates, y, k);
    for (int i = 0; i < SPECIES; i++)
      y[i] += STEP * k[i];
  }
  return half_square(y);
}

static double primal(const Problem *p) { return euler(p->sizes[0], p->x, p->x + RATES); }

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)euler, enzyme_const, p->sizes[0], enzyme_dup, p->x, direction,
                          enzyme_dup, p->x + RATES, direction + RATES);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)euler, enzyme_const, p->sizes[0], enzyme_dup, p->x, gradient,
                    enzyme_dup, p->x + RATES, gradient + RATES);
}

const Kernel VARIANT(euler) = {primal, forward, reverse};

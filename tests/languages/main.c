/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The gradient of the other language's energy against that of C's, and a few differences. */
#include "nbody.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 5, STEPS = 20, NUMBERS = 7 * BODIES };
static const double dt = 0.01, step = 1e-5;

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);

/* The masses, then the positions, then the velocities. */
static void start(double *all) {
  for (int i = 0; i < BODIES; i++)
    all[i] = 1.0 / (i + 1);
  for (int i = 0; i < 3 * BODIES; i++) {
    all[BODIES + i] = sin(1.0 + i) + i / 3;
    all[4 * BODIES + i] = 0.3 * cos(2.0 * i);
  }
}

static double difference(int index) {
  double energy[2];
  for (int side = 0; side < 2; side++) {
    double all[NUMBERS];
    start(all);
    all[index] += side ? -step : step;
    energy[side] = energy_c(BODIES, STEPS, dt, all, all + BODIES, all + 4 * BODIES);
  }
  return (energy[0] - energy[1]) / (2 * step);
}

#define GRADIENT(energy, all, grad)                                                                \
  __enzyme_autodiff((void *)energy, enzyme_const, (long)BODIES, enzyme_const, (long)STEPS,         \
                    enzyme_const, dt, enzyme_dup, all, grad, enzyme_dup, (all) + BODIES,           \
                    (grad) + BODIES, enzyme_dup, (all) + 4 * BODIES, (grad) + 4 * BODIES)

int main(void) {
  double all[NUMBERS], c[NUMBERS] = {0}, other[NUMBERS] = {0};
  int wrong = 0;
  start(all);
  GRADIENT(energy_c, all, c);
  start(all);
  GRADIENT(energy_other, all, other);
  for (int i = 0; i < NUMBERS; i++) {
    int bad = !(fabs(c[i] - other[i]) <= 1e-12 * (1 + fabs(c[i]))) ||
              !(fabs(c[i] - difference(i)) <= 1e-7 * (1 + fabs(c[i])));
    if (bad)
      printf("%d: C %.17g, other %.17g, difference %.17g\n", i, c[i], other[i], difference(i));
    wrong += bad;
  }
  return wrong != 0;
}

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nbody.h"

#include <math.h>

static double distance_square(const double *a, const double *b, double *d) {
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    d[k] = a[k] - b[k];
    sum += d[k] * d[k];
  }
  return sum;
}

static void step(long n, double dt, const double *mass, double *position, double *velocity) {
  for (long i = 0; i < n; i++)
    for (long j = i + 1; j < n; j++) {
      double d[3];
      double square = distance_square(position + 3 * i, position + 3 * j, d);
      double pull = dt / (square * sqrt(square));
      for (int k = 0; k < 3; k++) {
        velocity[3 * i + k] -= d[k] * mass[j] * pull;
        velocity[3 * j + k] += d[k] * mass[i] * pull;
      }
    }
  for (long i = 0; i < 3 * n; i++)
    position[i] += dt * velocity[i];
}

double energy_c(long n, long steps, double dt, const double *mass, double *position,
                double *velocity) {
  for (long s = 0; s < steps; s++)
    step(n, dt, mass, position, velocity);
  double energy = 0;
  for (long i = 0; i < n; i++) {
    double d[3];
    for (int k = 0; k < 3; k++)
      energy += 0.5 * mass[i] * velocity[3 * i + k] * velocity[3 * i + k];
    for (long j = i + 1; j < n; j++)
      energy -= mass[i] * mass[j] / sqrt(distance_square(position + 3 * i, position + 3 * j, d));
  }
  return energy;
}

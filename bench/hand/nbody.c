// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/nbody.c by hand: the energy itself is not needed, so that one pass over
 * the pairs is all. What a body gets in the inner loop stays in registers.
 */
#include "../bench.h"

#include <math.h>
#include <string.h>

/* The pairs of body i with those before it. */
static void pairs_back(int i, const double *restrict x, const double *restrict y,
                       const double *restrict z, const double *restrict mass, double *restrict d_x,
                       double *restrict d_y, double *restrict d_z, double *restrict d_mass) {
#pragma clang fp reassociate(on)
  double own_x = 0, own_y = 0, own_z = 0, own_mass = 0;
  for (int j = 0; j < i; j++) {
    double dx = x[i] - x[j];
    double dy = y[i] - y[j];
    double dz = z[i] - z[j];
    double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
    double force = mass[i] * mass[j] * inverse * inverse * inverse;
    own_x += force * dx;
    own_y += force * dy;
    own_z += force * dz;
    own_mass -= mass[j] * inverse;
    d_x[j] -= force * dx;
    d_y[j] -= force * dy;
    d_z[j] -= force * dz;
    d_mass[j] -= mass[i] * inverse;
  }
  d_x[i] += own_x;
  d_y[i] += own_y;
  d_z[i] += own_z;
  d_mass[i] += own_mass;
}

void nbody_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  const double *x = problem->x;
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  for (int i = 0; i < n; i++)
    pairs_back(i, x, x + n, x + 2 * n, x + 3 * n, gradient, gradient + n, gradient + 2 * n,
               gradient + 3 * n);
}

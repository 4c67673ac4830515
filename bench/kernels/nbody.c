// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The potential energy of n bodies, softened at small distances: all pairs. */
#include "kernel.h"

#include <math.h>
#include <string.h>

static double nbody(int n, const double *RESTRICT x, const double *RESTRICT y,
                    const double *RESTRICT z, const double *RESTRICT mass) {
  double energy = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double dx = x[i] - x[j];
      double dy = y[i] - y[j];
      double dz = z[i] - z[j];
      energy -= mass[i] * mass[j] / sqrt(dx * dx + dy * dy + dz * dz + 1e-4);
    }
  return energy;
}

static double primal(const Problem *p) {
  int n = p->sizes[0];
  return nbody(n, p->x, p->x + n, p->x + 2 * n, p->x + 3 * n);
}

static double forward(const Problem *p, const double *direction) {
  int n = p->sizes[0];
  return __enzyme_fwddiff((void *)nbody, enzyme_const, n, enzyme_dup, p->x, direction, enzyme_dup,
                          p->x + n, direction + n, enzyme_dup, p->x + 2 * n, direction + 2 * n,
                          enzyme_dup, p->x + 3 * n, direction + 3 * n);
}

static void reverse(const Problem *p, double *gradient) {
  int n = p->sizes[0];
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)nbody, enzyme_const, n, enzyme_dup, p->x, gradient, enzyme_dup,
                    p->x + n, gradient + n, enzyme_dup, p->x + 2 * n, gradient + 2 * n, enzyme_dup,
                    p->x + 3 * n, gradient + 3 * n);
}

const Kernel VARIANT(nbody) = {primal, forward, reverse};

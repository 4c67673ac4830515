// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Electrons on a sphere, as a shared library. */
#include <math.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { MOST = 100 };

/* The energy of n electrons at the points position[3 * i ...], moved straight onto the sphere. */
double energy(const double *position, int n) {
  double on[3 * MOST], sum = 0;
  for (int i = 0; i < n; i++) {
    const double *p = position + 3 * i;
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int k = 0; k < 3; k++)
      on[3 * i + k] = p[k] / length;
    for (int j = 0; j < i; j++) {
      double x = on[3 * i] - on[3 * j];
      double y = on[3 * i + 1] - on[3 * j + 1];
      double z = on[3 * i + 2] - on[3 * j + 2];
      sum += 1 / sqrt(x * x + y * y + z * z);
    }
  }
  return sum;
}

/* Adds the gradient of the energy to `slope`. */
void energy_gradient(const double *position, double *slope, int n) {
  __enzyme_autodiff((void *)energy, enzyme_dup, position, slope, enzyme_const, n);
}

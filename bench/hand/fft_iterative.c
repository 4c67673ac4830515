// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of kernels/fft_iterative.c by hand, in place. */
#include "../bench.h"
#include "fft.h"

#include <string.h>

void fft_iterative_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  const double *waves = problem->data;
  memcpy(gradient, problem->x, sizeof(double) * 2 * (size_t)n);
  reorder(n, gradient);
  for (int half = 1; half < n; half *= 2)
    for (int first = 0; first < n; first += 2 * half) {
      double *a = gradient + 2 * first;
      butterflies(half, n / (2 * half), waves, a, a + 2 * half);
    }
  power_back(n, waves + n, gradient);
  for (int half = n / 2; half > 0; half /= 2)
    for (int first = 0; first < n; first += 2 * half) {
      double *a = gradient + 2 * first;
      butterflies_back(half, n / (2 * half), waves, a, a + 2 * half);
    }
  reorder(n, gradient);
}

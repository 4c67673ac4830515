// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of kernels/fft_recursive.c by hand, in place. */
#include "../bench.h"
#include "fft.h"

#include <string.h>

static void transform(int n, int stride, const double *restrict waves, double *restrict z) {
  int half = n / 2;
  if (n <= 1)
    return;
  transform(half, 2 * stride, waves, z);
  transform(half, 2 * stride, waves, z + 2 * half);
  butterflies(half, stride, waves, z, z + 2 * half);
}

static void transform_back(int n, int stride, const double *restrict waves, double *restrict z) {
  int half = n / 2;
  if (n <= 1)
    return;
  butterflies_back(half, stride, waves, z, z + 2 * half);
  transform_back(half, 2 * stride, waves, z);
  transform_back(half, 2 * stride, waves, z + 2 * half);
}

void fft_recursive_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  const double *waves = problem->data;
  memcpy(gradient, problem->x, sizeof(double) * 2 * (size_t)n);
  reorder(n, gradient);
  transform(n, 1, waves, gradient);
  power_back(n, waves + n, gradient);
  transform_back(n, 1, waves, gradient);
  reorder(n, gradient);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fast Fourier transform, one length after another. */
#include "fft.h"

#include <string.h>

static double fft_iterative(int n, const double *RESTRICT waves, const double *RESTRICT weights,
                            double *RESTRICT z) {
  reorder(n, z);
  for (int half = 1; half < n; half *= 2)
    for (int first = 0; first < n; first += 2 * half)
      butterflies(half, n / (2 * half), waves, z + 2 * first);
  return power(n, weights, z);
}

static double primal(const Problem *p) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  return fft_iterative(p->sizes[0], p->data, p->data + p->sizes[0], p->state);
}

static double forward(const Problem *p, const double *direction) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memcpy(p->tangent, direction, sizeof(double) * (size_t)p->states);
  return __enzyme_fwddiff((void *)fft_iterative, enzyme_const, p->sizes[0], enzyme_const, p->data,
                          enzyme_const, p->data + p->sizes[0], enzyme_dup, p->state, p->tangent);
}

static void reverse(const Problem *p, double *gradient) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)fft_iterative, enzyme_const, p->sizes[0], enzyme_const, p->data,
                    enzyme_const, p->data + p->sizes[0], enzyme_dup, p->state, gradient);
}

const Kernel VARIANT(fft_iterative) = {primal, forward, reverse};

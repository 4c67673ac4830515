// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fast Fourier transform, each half by itself. */
#include "fft.h"

#include <string.h>

static void transform(int n, int stride, const double *RESTRICT waves, double *RESTRICT z) {
  int half = n / 2;
  if (n <= 1)
    return;
  transform(half, 2 * stride, waves, z);
  transform(half, 2 * stride, waves, z + 2 * half);
  butterflies(half, stride, waves, z);
}

static double fft_recursive(int n, const double *RESTRICT waves, const double *RESTRICT weights,
                            double *RESTRICT z) {
  reorder(n, z);
  transform(n, 1, waves, z);
  return power(n, weights, z);
}

static double primal(const Problem *p) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  return fft_recursive(p->sizes[0], p->data, p->data + p->sizes[0], p->state);
}

static double forward(const Problem *p, const double *direction) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memcpy(p->tangent, direction, sizeof(double) * (size_t)p->states);
  return __enzyme_fwddiff((void *)fft_recursive, enzyme_const, p->sizes[0], enzyme_const, p->data,
                          enzyme_const, p->data + p->sizes[0], enzyme_dup, p->state, p->tangent);
}

static void reverse(const Problem *p, double *gradient) {
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)fft_recursive, enzyme_const, p->sizes[0], enzyme_const, p->data,
                    enzyme_const, p->data + p->sizes[0], enzyme_dup, p->state, gradient);
}

const Kernel VARIANT(fft_recursive) = {primal, forward, reverse};

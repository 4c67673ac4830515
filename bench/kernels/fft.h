// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Cooley and Tukey's fast Fourier transform of n complex numbers, a power of two, in place. Of the
 * waves, cos and sin of 2 pi i / n, there is one half.
 */
#ifndef BENCH_FFT_H
#define BENCH_FFT_H

#include "../reorder.h"
#include "kernel.h"

/* Joins two transforms of `half` numbers; from one wave to the next is a stride. */
static inline void butterflies(int half, int stride, const double *RESTRICT waves,
                               double *RESTRICT z) {
  for (int i = 0; i < half; i++) {
    double real = waves[2 * i * stride];
    double imaginary = waves[2 * i * stride + 1];
    double *a = z + 2 * i;
    double *b = z + 2 * (half + i);
    double turned = b[0] * real - b[1] * imaginary;
    double turned_imaginary = b[0] * imaginary + b[1] * real;
    b[0] = a[0] - turned;
    b[1] = a[1] - turned_imaginary;
    a[0] += turned;
    a[1] += turned_imaginary;
  }
}

/* What is differentiated: the sum of weighted squares. */
static inline double power(int n, const double *RESTRICT weights, const double *RESTRICT z) {
  double sum = 0;
  for (int i = 0; i < 2 * n; i++)
    sum += 0.5 * weights[i] * z[i] * z[i];
  return sum;
}

#endif

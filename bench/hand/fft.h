// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The parts of kernels/fft.h, and their transposes. */
#ifndef BENCH_HAND_FFT_H
#define BENCH_HAND_FFT_H

#include "../reorder.h"

static inline void butterflies(int half, int stride, const double *restrict waves,
                               double *restrict a, double *restrict b) {
  for (int i = 0; i < half; i++) {
    double real = waves[2 * i * stride];
    double imaginary = waves[2 * i * stride + 1];
    double turned = b[2 * i] * real - b[2 * i + 1] * imaginary;
    double turned_imaginary = b[2 * i] * imaginary + b[2 * i + 1] * real;
    b[2 * i] = a[2 * i] - turned;
    b[2 * i + 1] = a[2 * i + 1] - turned_imaginary;
    a[2 * i] += turned;
    a[2 * i + 1] += turned_imaginary;
  }
}

static inline void butterflies_back(int half, int stride, const double *restrict waves,
                                    double *restrict a, double *restrict b) {
  for (int i = 0; i < half; i++) {
    double real = waves[2 * i * stride];
    double imaginary = waves[2 * i * stride + 1];
    double turned = a[2 * i] - b[2 * i];
    double turned_imaginary = a[2 * i + 1] - b[2 * i + 1];
    a[2 * i] += b[2 * i];
    a[2 * i + 1] += b[2 * i + 1];
    b[2 * i] = turned * real + turned_imaginary * imaginary;
    b[2 * i + 1] = turned_imaginary * real - turned * imaginary;
  }
}

static inline void power_back(int n, const double *restrict weights, double *restrict z) {
  for (int i = 0; i < 2 * n; i++)
    z[i] *= weights[i];
}

#endif

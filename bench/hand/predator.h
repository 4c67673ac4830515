// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The equations of kernels/predator.h, and their adjoint. */
#ifndef BENCH_HAND_PREDATOR_H
#define BENCH_HAND_PREDATOR_H

enum { SPECIES = 2, RATES = 4 };

static inline void change(const double *restrict rates, const double *restrict y,
                          double *restrict out) {
  out[0] = y[0] * (rates[0] - rates[1] * y[1]);
  out[1] = y[1] * (rates[2] * y[0] - rates[3]);
}

/* Adds to the adjoints of the rates and of y. */
static inline void change_back(const double *restrict rates, const double *restrict y,
                               const double *restrict adjoint, double *restrict d_rates,
                               double *restrict d_y) {
  double prey = adjoint[0] * y[0];
  double predators = adjoint[1] * y[1];
  d_rates[0] += prey;
  d_rates[1] -= prey * y[1];
  d_rates[2] += predators * y[0];
  d_rates[3] -= predators;
  d_y[0] += adjoint[0] * (rates[0] - rates[1] * y[1]) + predators * rates[2];
  d_y[1] += adjoint[1] * (rates[2] * y[0] - rates[3]) - prey * rates[1];
}

#endif

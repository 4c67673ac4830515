// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lotka and Volterra's equations of prey and predators, with four rates. */
#ifndef BENCH_PREDATOR_H
#define BENCH_PREDATOR_H

#include "kernel.h"

enum { SPECIES = 2, RATES = 4 };

static inline void change(const double *RESTRICT rates, const double *RESTRICT y,
                          double *RESTRICT out) {
  out[0] = y[0] * (rates[0] - rates[1] * y[1]);
  out[1] = y[1] * (rates[2] * y[0] - rates[3]);
}

static inline double half_square(const double *RESTRICT y) {
  return 0.5 * (y[0] * y[0] + y[1] * y[1]);
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The price of an option on the mean of a share's prices, under Black and Scholes's model, by Monte
 * Carlo: paths of one year in steps.
 */
#include "kernel.h"

#include <math.h>
#include <string.h>

enum { SPOT, RATE, VOLATILITY, STRIKE };

static double black_scholes(int paths, int steps, const double *RESTRICT market,
                            const double *RESTRICT normals) {
  double step = 1.0 / steps;
  double volatility = market[VOLATILITY];
  double drift = (market[RATE] - 0.5 * volatility * volatility) * step;
  double total = 0;
  for (int i = 0; i < paths; i++) {
    double price = market[SPOT];
    double sum = 0;
    for (int t = 0; t < steps; t++) {
      price *= exp(drift + volatility * sqrt(step) * normals[i * steps + t]);
      sum += price;
    }
    double gain = sum * step - market[STRIKE];
    total += gain > 0 ? gain : 0;
  }
  return exp(-market[RATE]) * total / paths;
}

static double primal(const Problem *p) {
  return black_scholes(p->sizes[0], p->sizes[1], p->x, p->data);
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)black_scholes, enzyme_const, p->sizes[0], enzyme_const,
                          p->sizes[1], enzyme_dup, p->x, direction, enzyme_const, p->data);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)black_scholes, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_dup, p->x, gradient, enzyme_const, p->data);
}

const Kernel VARIANT(black_scholes) = {primal, forward, reverse};

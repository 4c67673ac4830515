// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/black_scholes.c by hand, path by path: the prices of one are kept, and a
 * path without a gain has no way back.
 */
#include "../bench.h"

#include <math.h>
#include <stdlib.h>

enum { SPOT, RATE, VOLATILITY, STRIKE };

typedef struct {
  double total;       /* of all gains */
  int gains;          /* how many there are */
  double drift, wave; /* the sums of what multiplies the drift and the volatility */
  double spot;
} Sums;

static void path(int steps, const double *restrict market, double drift, double volatility,
                 const double *restrict normals, double *restrict prices, Sums *sums) {
  double price = market[SPOT];
  double sum = 0;
  for (int t = 0; t < steps; t++) {
    price *= exp(drift + volatility * normals[t]);
    prices[t] = price;
    sum += price;
  }
  double gain = sum / steps - market[STRIKE];
  if (gain <= 0)
    return;
  sums->total += gain;
  sums->gains++;
  double later = 0;
  for (int t = steps - 1; t >= 0; t--) {
    later += prices[t];
    sums->drift += later;
    sums->wave += later * normals[t];
  }
  sums->spot += later;
}

void black_scholes_hand(const Problem *problem, double *gradient) {
  int paths = problem->sizes[0];
  int steps = problem->sizes[1];
  const double *market = problem->x;
  double step = 1.0 / steps;
  double volatility = market[VOLATILITY];
  double drift = (market[RATE] - 0.5 * volatility * volatility) * step;
  double *prices = malloc(sizeof(double) * (size_t)steps);
  Sums sums = {0};
  for (int i = 0; i < paths; i++)
    path(steps, market, drift, volatility * sqrt(step), problem->data + i * steps, prices, &sums);
  double seed = exp(-market[RATE]) / paths;
  double d_drift = seed * step * step * sums.drift;
  gradient[SPOT] = seed * step * sums.spot / market[SPOT];
  gradient[RATE] = d_drift - seed * sums.total;
  gradient[VOLATILITY] = seed * step * sqrt(step) * sums.wave - volatility * d_drift;
  gradient[STRIKE] = -seed * sums.gains;
  free(prices);
}

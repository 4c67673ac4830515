// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "special.h"

#include <math.h>

enum { ORDERS = 30, LARGE = 12, TERMS = 10 };

static const double pi = 3.14159265358979323846264338327950288;

/* Bernoulli's numbers B_2, B_4, ... */
static const double bernoulli[TERMS] = {1.0 / 6,       -1.0 / 30,      1.0 / 42, -1.0 / 30,
                                        5.0 / 66,      -691.0 / 2730,  7.0 / 6,  -3617.0 / 510,
                                        43867.0 / 798, -174611.0 / 330};

static double factorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; i++)
    product *= i;
  return product;
}

/* The sum over k of B_2k (2k + order - 1)! / ((2k)! x^(2k + order)), smallest terms first. */
static double tail(int order, double x) {
  double sum = 0;
  double square = x * x;
  for (int k = TERMS; k > 0; k--) {
    double ratio = 1;
    for (int i = 2 * k + 1; i < 2 * k + order; i++)
      ratio *= i;
    double factor = order == 0 ? 1.0 / (2 * k) : ratio;
    sum = (sum + bernoulli[k - 1] * factor) / square;
  }
  return sum;
}

/* Without the sign (-1)^(order + 1), for x of at least LARGE + order. */
static double asymptotic(int order, double x) {
  if (order == 0)
    return 0.5 / x + tail(0, x) - log(x);
  double power = pow(x, -order);
  return factorial(order) * (0.5 / x) * power + tail(order, x) * power +
         factorial(order - 1) * power;
}

/* For x > 0. The terms of the recurrence are added from the smallest on. */
static double right_half(int order, double x) {
  int shifts = x < LARGE + order ? (int)ceil(LARGE + order - x) : 0;
  double sum = asymptotic(order, x + shifts);
  double scale = factorial(order);
  for (int i = shifts - 1; i >= 0; i--)
    sum += scale * pow(x + i, -(order + 1));
  return order % 2 ? sum : -sum;
}

/* The derivative of `order` of pi cot(pi x). It is a polynomial in c = cot(pi x), for
 * dc/dx = -pi (1 + c^2). */
static double cotangent_derivative(int order, double x) {
  double c = 1 / tan(pi * (x - round(x)));
  double p[ORDERS + 3] = {0, 1};
  double scale = pi;
  for (int k = 0; k < order; k++) {
    double next[ORDERS + 3] = {0};
    for (int i = 1; i <= k + 1; i++) {
      next[i - 1] -= i * p[i];
      next[i + 1] -= i * p[i];
    }
    for (int i = 0; i <= k + 2; i++)
      p[i] = next[i];
    scale *= pi;
  }
  double sum = 0;
  for (int i = order + 1; i >= 0; i--)
    sum = sum * c + p[i];
  return scale * sum;
}

static double at_pole(int order, double x) {
  if (order % 2)
    return INFINITY;
  return x == 0 ? -copysign(INFINITY, x) : NAN;
}

double __nabla_polygamma(int order, double x) {
  if (order < 0 || order > ORDERS || isnan(x) || x == -INFINITY)
    return NAN;
  if (x == INFINITY)
    return order == 0 ? INFINITY : 0;
  if (x <= 0 && x == floor(x))
    return at_pole(order, x);
  if (x > 0)
    return right_half(order, x);
  double mirrored = right_half(order, 1 - x);
  return (order % 2 ? -mirrored : mirrored) - cotangent_derivative(order, x);
}

/* log(1 + 1/x) - (x + 1/2) / (x (x + 1)): what stirling's slope changes by from x to x + 1. */
static double stirling_step(double x) {
  double z = 1 / (2 * x + 1);
  if (z > 0.5)
    return log1p(1 / x) - (x + 0.5) / (x * (x + 1));
  double sum = 0, power = z;
  for (int k = 1; k < ORDERS; k++) {
    power *= z * z;
    sum -= 2 * power * (2 * k) / (2 * k + 1);
  }
  return sum;
}

double __nabla_stirling(int order, double x) {
  if (order < 0 || order > ORDERS || !(x > 0))
    return NAN;
  if (order > 0) {
    double power = pow(x, -order);
    double rest = (0.5 * factorial(order) / x + factorial(order - 1)) * power;
    if (x >= LARGE + order)
      return (order % 2 ? 1 : -1) * tail(order, x) * power;
    return __nabla_polygamma(order, x) + (order % 2 ? -rest : rest);
  }
  double sum = 0;
  for (; x < LARGE; x += 1)
    sum += stirling_step(x);
  return sum - tail(0, x);
}

long double __nabla_polygammal(int order, long double x) {
  return __nabla_polygamma(order, (double)x);
}

float __nabla_polygammaf(int order, float x) { return (float)__nabla_polygamma(order, x); }

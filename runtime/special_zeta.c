// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of Riemann's zeta function, by Euler and Maclaurin's formula (DLMF 25.2.9) and, left
 * of the critical strip, reflection (25.4.1), both on truncated Taylor series. */
#include "special.h"

#include <math.h>

enum { COEFFICIENTS = 6, SUMMED = 10, TERMS = 10 };

static const double pi = 3.14159265358979323846264338327950288;
static const double log_two_pi = 1.83787706640934548356065947281123527;

/* B_2k / (2k)! for k from 1 on. */
static const double bernoulli[TERMS] = {8.33333333333333333333e-2,  -1.38888888888888888889e-3,
                                        3.30687830687830687831e-5,  -8.26719576719576719577e-7,
                                        2.08767569878680989792e-8,  -5.28419013868749318484e-10,
                                        1.33825365306846788328e-11, -3.38968029632258286683e-13,
                                        8.58606205627784456414e-15, -2.17486869855806187304e-16};

/* The Taylor coefficients of a function at a point. */
typedef struct Series {
  double at[COEFFICIENTS];
} Series;

static Series product(const Series *a, const Series *b) {
  Series result = {{0}};
  for (int i = 0; i < COEFFICIENTS; i++)
    for (int k = 0; k <= i; k++)
      result.at[i] += a->at[k] * b->at[i - k];
  return result;
}

/* `factor` times exp(rate e). */
static Series exponential(double factor, double rate) {
  Series result = {{factor}};
  for (int i = 1; i < COEFFICIENTS; i++)
    result.at[i] = result.at[i - 1] * rate / i;
  return result;
}

static void add(Series *sum, const Series *term, double factor) {
  for (int i = 0; i < COEFFICIENTS; i++)
    sum->at[i] += factor * term->at[i];
}

/* Times value + e. */
static void multiply(Series *series, double value) {
  for (int i = COEFFICIENTS - 1; i >= 0; i--)
    series->at[i] = series->at[i] * value + (i ? series->at[i - 1] : 0);
}

/* Divided by value + e. */
static void divide(Series *series, double value) {
  for (int i = 0; i < COEFFICIENTS; i++)
    series->at[i] = (series->at[i] - (i ? series->at[i - 1] : 0)) / value;
}

static Series right_side(double s) {
  double last = log(SUMMED);
  Series sum = {{0}}, power = exponential(pow(SUMMED, -s), -last), term = power;
  for (int k = 1; k <= TERMS; k++) {
    multiply(&term, k > 1 ? s + 2 * k - 3 : s);
    if (k > 1)
      multiply(&term, s + 2 * k - 2);
    double scale = pow(SUMMED, 1 - 2 * k);
    add(&sum, &term, bernoulli[k - 1] * scale);
  }
  add(&sum, &power, 0.5);
  for (int n = SUMMED - 1; n > 0; n--) {
    Series summand = exponential(pow(n, -s), -log(n));
    add(&sum, &summand, 1);
  }
  divide(&power, s - 1);
  add(&sum, &power, SUMMED);
  return sum;
}

/* exp of a series without constant coefficient. */
static Series exponential_of(const Series *series) {
  Series result = {{1}};
  for (int i = 1; i < COEFFICIENTS; i++)
    for (int k = 1; k <= i; k++)
      result.at[i] += k * series->at[k] * result.at[i - k] / i;
  return result;
}

/* Of gamma(1 - s - e). */
static Series gamma_of_mirrored(double s) {
  Series logarithm = {{0}};
  double factor = 1;
  for (int i = 1; i < COEFFICIENTS; i++) {
    factor = -factor / i;
    logarithm.at[i] = factor * __nabla_polygamma(i - 1, 1 - s);
  }
  Series result = exponential_of(&logarithm), nothing = {{0}};
  add(&nothing, &result, tgamma(1 - s));
  return nothing;
}

/* Of sin(pi (s + e) / 2). */
static Series sine(double s) {
  double turn = remainder(s, 4), values[] = {sin(0.5 * pi * turn), cos(0.5 * pi * turn)};
  Series result = {{values[0]}};
  double factor = 1;
  for (int i = 1; i < COEFFICIENTS; i++) {
    factor *= 0.5 * pi / i;
    result.at[i] = (i / 2 % 2 ? -factor : factor) * values[i % 2];
  }
  return result;
}

static Series left_side(double s) {
  Series mirrored = right_side(1 - s);
  for (int i = 1; i < COEFFICIENTS; i += 2)
    mirrored.at[i] = -mirrored.at[i];
  Series gamma = gamma_of_mirrored(s), turned = sine(s);
  Series power = exponential(2 * exp((s - 1) * log_two_pi), log_two_pi);
  Series result = product(&mirrored, &gamma);
  result = product(&result, &turned);
  return product(&result, &power);
}

double __nabla_zeta(int order, double s) {
  if (order < 0 || order >= COEFFICIENTS || isnan(s))
    return NAN;
  if (s > 1000)
    return order == 0 ? 1 : -0.0;
  Series series = s < -0.3 ? left_side(s) : right_side(s);
  double factor = 1;
  for (int i = 2; i <= order; i++)
    factor *= i;
  return factor * series.at[order];
}

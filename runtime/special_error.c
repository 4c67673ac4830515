// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of functions of the error function's kind. */
#include "special.h"

#include <math.h>

enum { ERFCX_ORDERS = 12, DAWSON_ORDERS = 12, SERIES = 16, ASYMPTOTIC = 30 };
/* Beyond it exp is 0 or infinite. */
enum { LARGE_EXPONENT = 1000 };

static const double two_by_root_pi = 1.12837916709551257389615890312154517;

/* --- erfcx; DLMF 7.18: the derivative of order n is (-2)^n n! exp(x^2) i^n erfc(x). -------------
 */

/* Fills ratios[n] with i^n erfc(x) / i^(n-1) erfc(x), by the recurrence 7.18.7 from far behind. */
static void ratios_of(double x, int count, double *ratios) {
  int last = count + 20 + (int)(200 / (x * x));
  double ratio = 1 / (x + sqrt(x * x + 2 * (last + 1)));
  for (int n = last; n >= 0; n--) {
    ratio = 0.5 / (x + (n + 1) * ratio);
    if (n < count)
      ratios[n] = ratio;
  }
}

static double erfcx_far(int order, double x) {
  double ratios[ERFCX_ORDERS + 1];
  ratios_of(x, order + 1, ratios);
  double value = two_by_root_pi * ratios[0];
  for (int n = 1; n <= order; n++)
    value *= -2 * n * ratios[n];
  return value;
}

/* exp(x^2), whose argument a rounded square would spoil. */
static double exp_of_square(double x) {
  double square = x * x;
  return exp(square) * (1 + fma(x, x, -square));
}

/* A part of exp(z^2), z = x + i y. The square's parts are x^2 - y^2 and 2 x y, and what rounding
 * takes from these is added at first order. */
double __nabla_exp_of_square(int imaginary, double x, double y) {
  double xx = x * x, yy = y * y, real = xx - yy, angle = 2 * x * y;
  double of_real = fabs(x) > fabs(y) ? (xx - real) - yy : xx - (real + yy);
  of_real += fma(x, x, -xx) - fma(y, y, -yy);
  double of_angle = fma(2 * x, y, -angle);
  double radius = exp(real);
  if (fabs(real) < LARGE_EXPONENT)
    radius += radius * of_real;
  return radius *
         (imaginary ? sin(angle) + of_angle * cos(angle) : cos(angle) - of_angle * sin(angle));
}

/* The derivative is 2 x times the function, less a constant. */
static double erfcx_near(int order, double x) {
  double value = exp_of_square(x) * erfc(x);
  double before = -0.5 * two_by_root_pi;
  for (int n = 0; n < order; n++) {
    double next = 2 * x * value + (n ? 2 * n * before : -two_by_root_pi);
    before = value;
    value = next;
  }
  return value;
}

double __nabla_erfcx(int order, double x) {
  if (order < 0 || order > ERFCX_ORDERS || isnan(x))
    return NAN;
  if (x < -26.7)
    return order % 2 ? -INFINITY : INFINITY;
  return x < 1 ? erfcx_near(order, x) : erfcx_far(order, x);
}

/* --- Dawson's integral ---------------------------------------------------------------------------
 */

/* The sum over all odd n of exp(-u^2) u^power / n, where u = x - n h: Rybicki, "Dawson's integral
 * and the sampling theorem", 1989. With h = 0.2 the error is 1e-26. */
static double sampled(int power, double x) {
  const double h = 0.2;
  int middle = 2 * (int)round(0.5 * (x / h - 1)) + 1;
  double sum = 0;
  for (int n = middle - 32; n <= middle + 32; n += 2) {
    double u = x - n * h;
    sum += exp(-u * u) * (power ? u * u : 1) / n;
  }
  return sum;
}

/* For small x: the sum of (-2)^k x^(2 k + 1) / (1 3 5 ... (2 k + 1)). */
static double dawson_series(double x) {
  double sum = 0;
  for (int k = SERIES; k > 0; k--)
    sum = -2 * x * x / (2 * k + 1) * (1 + sum);
  return x * (1 + sum);
}

/* For large x: derivatives of the sum of 1 3 ... (2 k - 1) / (2^(k + 1) x^(2 k + 1)). */
static double dawson_far(int order, double x) {
  double term = 0.5 / x;
  for (int n = 0; n < order; n++)
    term *= -(n + 1) / x;
  double sum = 0;
  for (int k = 0; k < ASYMPTOTIC && fabs(term) > 1e-18 * fabs(sum); k++) {
    sum += term;
    double ratio = (2 * k + 1) / (2 * x * x);
    term *= ratio * (2 * k + 1 + order) / (2 * k + 1) * (2 * k + 2 + order) / (2 * k + 2);
  }
  return sum;
}

/* The slope is 1 - 2 x F(x), of which little is left for larger x. There it is a sum whose terms
 * have one sign: 1 / n is h / x + u / (n x), and what the first part adds up to is zero. */
static double dawson_slope(double x, double value) {
  if (fabs(x) < 1.2)
    return 1 - 2 * x * value;
  return -two_by_root_pi / x * sampled(2, x);
}

static double dawson_near(int order, double x) {
  double before = fabs(x) < 0.3 ? dawson_series(x) : 0.5 * two_by_root_pi * sampled(0, x);
  if (order == 0)
    return before;
  double value = dawson_slope(x, before);
  for (int n = 1; n < order; n++) {
    double next = -2 * (x * value + n * before);
    before = value;
    value = next;
  }
  return value;
}

double __nabla_dawson(int order, double x) {
  if (order < 0 || order > DAWSON_ORDERS || isnan(x))
    return NAN;
  return fabs(x) < 10 ? dawson_near(order, x) : dawson_far(order, x);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the incomplete gamma function. */
#include "special.h"

#include <float.h>
#include <math.h>

enum { LARGE = 20, MOST_TERMS = 100000 };

static const double two_pi = 6.28318530717958647692528676655900577;

/* What Stirling's formula lacks in log(gamma(a)), for large a. */
static double stirling_rest(double a) {
  static const double factors[] = {1.0 / 12,   -1.0 / 360,        1.0 / 1260, -1.0 / 1680,
                                   1.0 / 1188, -691.0 / 360360.0, 1.0 / 156};
  double sum = 0;
  for (int k = 6; k >= 0; k--)
    sum = sum / (a * a) + factors[k];
  return sum / a;
}

/* x - a + a log(a / x), which is small beside its parts where x and a are close: Loader, "Fast and
 * accurate computation of binomial probabilities", 2000. */
static double deviance(double a, double x) {
  double v = (a - x) / (a + x);
  if (fabs(v) > 0.1)
    return x - a + a * log(a / x);
  double sum = (a - x) * v, power = 2 * a * v;
  for (int k = 3;; k += 2) {
    power *= v * v;
    double next = sum + power / k;
    if (next == sum)
      return next;
    sum = next;
  }
}

double __nabla_gamma_density(double a, double x) {
  if (!(a >= 0) || !(x >= 0) || (a == 0 && x == 0))
    return NAN;
  if (a == 0)
    return 0;
  if (x == 0 || x == INFINITY)
    return x > 0 || a > 1 ? 0 : a == 1 ? 1 : INFINITY;
  if (a < LARGE)
    return pow(x, a - 1) * exp(-0.5 * x) / tgamma(a) * exp(-0.5 * x);
  return sqrt(a / two_pi) / x * exp(-deviance(a, x) - stirling_rest(a));
}

/* log(x) - psi(a). */
static double log_less_psi(double a, double x) {
  double ratio = (x - a) / a;
  double logarithm = fabs(ratio) < 0.5 ? log1p(ratio) : log(x / a);
  return logarithm + 0.5 / a - __nabla_stirling(0, a);
}

/* By the series DLMF 8.7.1: P is density times x / a times the sum of x^n / ((a + 1) ... (a + n)).
 */
static double slope_of_series(double a, double x) {
  double term = 1, sum = 1, inverse = 0, slope = 0;
  for (int n = 1; n < MOST_TERMS && term * (1 + inverse) > DBL_EPSILON / 8 * sum; n++) {
    term *= x / (a + n);
    inverse += 1 / (a + n);
    sum += term;
    slope -= term * inverse;
  }
  if (a >= 1)
    return __nabla_gamma_density(a, x) * (x / a) * ((log_less_psi(a, x) - 1 / a) * sum + slope);
  double outer = log(x) - __nabla_polygamma(0, a + 1);
  return pow(x, a) * exp(-x) / tgamma(a + 1) * (outer * sum + slope);
}

/* By the continued fraction DLMF 8.9.2: Q is density times x over it. It is evaluated from far
 * behind together with its slope. For a = 0 it is the exponential integral's, without density. */
static double slope_of_fraction(double a, double x) {
  int last = (int)fmin(40 + 100 / x + 8 * sqrt(a), MOST_TERMS);
  double fraction = x + 2 * last + 1 - a, slope = -1;
  for (int k = last; k > 0; k--) {
    double upper = k * (k - a), ratio = upper / fraction;
    slope = -1 + (k + ratio * slope) / fraction;
    fraction = x + 2 * k - 1 - a - ratio;
  }
  if (a == 0)
    return -exp(-x) / fraction;
  double outer = log_less_psi(a, x);
  return -__nabla_gamma_density(a, x) * x / fraction * (outer - slope / fraction);
}

double __nabla_gamma_inc(double a, double x) {
  if (!(a >= 0) || !(x >= 0) || (a == 0 && x == 0))
    return NAN;
  if (x == 0 || x == INFINITY)
    return 0;
  return x < a + 1 ? slope_of_series(a, x) : slope_of_fraction(a, x);
}

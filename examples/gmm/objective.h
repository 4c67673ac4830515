// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The logarithm of the posterior of a Gaussian mixture, after Srajer, Kukelova and Fitzgibbon, "A
 * benchmark of selected algorithmic differentiation tools on some problems in computer vision and
 * machine learning" (2018), but for the terms in which no parameter occurs.
 *
 * Component j has the weight exp(alphas[j]) / sum, the mean means[j * d ...], and the inverse
 * covariance Q'Q. Q is lower triangular; its factor holds first the logarithms of the diagonal,
 * then what is below it, column by column.
 *
 * Plain C over a type Real, which the including file defines: double, or dual numbers in C++.
 */
#include <math.h>
#include <stdlib.h>

static Real *reals_new(int count) { return (Real *)malloc(sizeof(Real) * (size_t)count); }

static Real squared_length(int d, const Real *x) {
  Real sum = 0;
  for (int i = 0; i < d; i++)
    sum += x[i] * x[i];
  return sum;
}

/* log(exp(x[0]) + ... + exp(x[k - 1])), where no exponential overflows. */
static Real log_sum_exp(int k, const Real *x) {
  Real largest = x[0];
  for (int j = 1; j < k; j++)
    if (x[j] > largest)
      largest = x[j];
  Real sum = 0;
  for (int j = 0; j < k; j++)
    sum += exp(x[j] - largest);
  return largest + log(sum);
}

/* out = Q (point - mean), with exp(diagonal of the factor) in `scale`. */
static void whiten(int d, const Real *scale, const Real *factor, const Real *mean,
                   const double *point, Real *out) {
  for (int row = 0; row < d; row++)
    out[row] = scale[row] * (point[row] - mean[row]);
  for (int column = 0; column < d; column++) {
    const Real *below = factor + d + column * (2 * d - column - 1) / 2;
    Real distance = point[column] - mean[column];
    for (int row = column + 1; row < d; row++)
      out[row] += below[row - column - 1] * distance;
  }
}

/* The Wishart prior of one component, with the sum of its log-diagonal in `log_determinant`. */
static Real log_wishart(int d, const Real *scale, const Real *factor, Real log_determinant,
                        double gamma, int m) {
  Real squares = squared_length(d, scale) + squared_length(d * (d - 1) / 2, factor + d);
  return 0.5 * gamma * gamma * squares - m * log_determinant;
}

/*
 * For each component: the exponentials of its log-diagonal, and its log-weight together with the
 * log-determinant of Q. Returns the sum of the priors.
 */
static Real prepare_components(int d, int k, const Real *alphas, const Real *factors, double gamma,
                               int m, Real *scales, Real *offsets) {
  int factor_size = d * (d + 1) / 2;
  Real prior = 0;
  for (int j = 0; j < k; j++) {
    const Real *factor = factors + j * factor_size;
    Real *scale = scales + j * d;
    Real log_determinant = 0;
    for (int i = 0; i < d; i++) {
      log_determinant += factor[i];
      scale[i] = exp(factor[i]);
    }
    offsets[j] = alphas[j] + log_determinant;
    prior += log_wishart(d, scale, factor, log_determinant, gamma, m);
  }
  return prior;
}

static Real gmm_objective(int d, int k, int n, const Real *alphas, const Real *means,
                          const Real *factors, const double *points, double gamma, int m) {
  int factor_size = d * (d + 1) / 2;
  Real *scales = reals_new(k * d);
  Real *offsets = reals_new(k);
  Real *terms = reals_new(k);
  Real *white = reals_new(d);
  Real total = prepare_components(d, k, alphas, factors, gamma, m, scales, offsets);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < k; j++) {
      whiten(d, scales + j * d, factors + j * factor_size, means + j * d, points + i * d, white);
      terms[j] = offsets[j] - 0.5 * squared_length(d, white);
    }
    total += log_sum_exp(k, terms);
  }
  free(scales);
  free(offsets);
  free(terms);
  free(white);
  return total - n * log_sum_exp(k, alphas);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The logarithm of the likelihood of n points under a mixture of k Gaussians in d dimensions.
 * Component c has the weight exp(alphas[c]) / sum, a mean, and the inverse covariance L'L, where L
 * is lower triangular: the logarithms of its diagonal come first, then what is below it, column by
 * column.
 */
#include "kernel.h"
#include "log_sum_exp.h"

#include <stdlib.h>
#include <string.h>

/* Half the squared length of L (point - mean), which is left in `white`. */
static double half_distance(int d, const double *RESTRICT mean, const double *RESTRICT diagonal,
                            const double *RESTRICT below, const double *RESTRICT point,
                            double *RESTRICT white) {
  for (int row = 0; row < d; row++)
    white[row] = diagonal[row] * (point[row] - mean[row]);
  for (int column = 0; column < d; column++) {
    double distance = point[column] - mean[column];
    for (int row = column + 1; row < d; row++)
      white[row] += *below++ * distance;
  }
  double sum = 0;
  for (int row = 0; row < d; row++)
    sum += white[row] * white[row];
  return 0.5 * sum;
}

static double gmm(int d, int k, int n, const double *RESTRICT alphas, const double *RESTRICT means,
                  const double *RESTRICT factors, const double *RESTRICT points) {
  int factor = d * (d + 1) / 2;
  double *diagonals = malloc(sizeof(double) * (size_t)k * (size_t)d);
  double *offsets = malloc(sizeof(double) * (size_t)k);
  double *terms = malloc(sizeof(double) * (size_t)k);
  double *white = malloc(sizeof(double) * (size_t)d);
  for (int c = 0; c < k; c++) {
    offsets[c] = alphas[c];
    for (int i = 0; i < d; i++) {
      offsets[c] += factors[c * factor + i];
      diagonals[c * d + i] = exp(factors[c * factor + i]);
    }
  }
  double total = 0;
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < k; c++)
      terms[c] = offsets[c] - half_distance(d, means + c * d, diagonals + c * d,
                                            factors + c * factor + d, points + i * d, white);
    total += log_sum_exp(k, terms);
  }
  total -= n * log_sum_exp(k, alphas);
  free(diagonals);
  free(offsets);
  free(terms);
  free(white);
  return total;
}

static int means_at(const Problem *p) { return p->sizes[1]; }

static int factors_at(const Problem *p) { return p->sizes[1] * (1 + p->sizes[0]); }

static double primal(const Problem *p) {
  return gmm(p->sizes[0], p->sizes[1], p->sizes[2], p->x, p->x + means_at(p), p->x + factors_at(p),
             p->data);
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)gmm, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_const, p->sizes[2], enzyme_dup, p->x, direction, enzyme_dup,
                          p->x + means_at(p), direction + means_at(p), enzyme_dup,
                          p->x + factors_at(p), direction + factors_at(p), enzyme_const, p->data);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)gmm, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1], enzyme_const,
                    p->sizes[2], enzyme_dup, p->x, gradient, enzyme_dup, p->x + means_at(p),
                    gradient + means_at(p), enzyme_dup, p->x + factors_at(p),
                    gradient + factors_at(p), enzyme_const, p->data);
}

const Kernel VARIANT(gmm) = {primal, forward, reverse};

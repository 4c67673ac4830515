// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/logistic.c by hand: sample by sample, as the adjoint of a score is its
 * probability, less one for the label. The exponentials are computed once.
 */
#include "../bench.h"
#include "softmax.h"

#include <stdlib.h>
#include <string.h>

static void scores(int classes, int features, const double *restrict weights,
                   const double *restrict biases, const double *restrict sample,
                   double *restrict out) {
  for (int k = 0; k < classes; k++)
    out[k] = biases[k];
  for (int f = 0; f < features; f++)
    for (int k = 0; k < classes; k++)
      out[k] += weights[f * classes + k] * sample[f];
}

static void scores_back(int classes, int features, const double *restrict sample,
                        const double *restrict adjoint, double *restrict d_weights,
                        double *restrict d_biases) {
  for (int f = 0; f < features; f++)
    for (int k = 0; k < classes; k++)
      d_weights[f * classes + k] += adjoint[k] * sample[f];
  for (int k = 0; k < classes; k++)
    d_biases[k] += adjoint[k];
}

void logistic_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  int classes = problem->sizes[1];
  int features = problem->sizes[2];
  const double *biases = problem->x + classes * features;
  double *score = malloc(sizeof(double) * (size_t)classes);
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  for (int i = 0; i < n; i++) {
    const double *sample = problem->data + i * features;
    scores(classes, features, problem->x, biases, sample, score);
    softmax(classes, 1.0 / n, score);
    score[problem->labels[i]] -= 1.0 / n;
    scores_back(classes, features, sample, score, gradient, gradient + classes * features);
  }
  free(score);
}

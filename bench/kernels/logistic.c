// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The loss of multinomial logistic regression: the mean cross entropy over n samples. */
#include "kernel.h"
#include "log_sum_exp.h"

#include <stdlib.h>
#include <string.h>

/* weights[feature * classes + class] */
static void scores(int classes, int features, const double *RESTRICT weights,
                   const double *RESTRICT biases, const double *RESTRICT sample,
                   double *RESTRICT out) {
  for (int k = 0; k < classes; k++)
    out[k] = biases[k];
  for (int f = 0; f < features; f++)
    for (int k = 0; k < classes; k++)
      out[k] += weights[f * classes + k] * sample[f];
}

static double logistic(int n, int classes, int features, const double *RESTRICT weights,
                       const double *RESTRICT biases, const double *RESTRICT samples,
                       const int *RESTRICT labels) {
  double *score = malloc(sizeof(double) * (size_t)classes);
  double loss = 0;
  for (int i = 0; i < n; i++) {
    scores(classes, features, weights, biases, samples + i * features, score);
    loss += log_sum_exp(classes, score) - score[labels[i]];
  }
  free(score);
  return loss / n;
}

static int biases_at(const Problem *p) { return p->sizes[1] * p->sizes[2]; }

static double primal(const Problem *p) {
  return logistic(p->sizes[0], p->sizes[1], p->sizes[2], p->x, p->x + biases_at(p), p->data,
                  p->labels);
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)logistic, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_const, p->sizes[2], enzyme_dup, p->x, direction, enzyme_dup,
                          p->x + biases_at(p), direction + biases_at(p), enzyme_const, p->data,
                          enzyme_const, p->labels);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)logistic, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_const, p->sizes[2], enzyme_dup, p->x, gradient, enzyme_dup,
                    p->x + biases_at(p), gradient + biases_at(p), enzyme_const, p->data,
                    enzyme_const, p->labels);
}

const Kernel VARIANT(logistic) = {primal, forward, reverse};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * A training step's loss of a network of two layers, with rectified units between them: the mean
 * cross entropy over n samples.
 */
#include "kernel.h"
#include "log_sum_exp.h"
#include "product.h"

#include <stdlib.h>
#include <string.h>

/* out = biases + weights x */
static void layer(int units, int features, const double *RESTRICT weights,
                  const double *RESTRICT biases, const double *RESTRICT x, double *RESTRICT out) {
  for (int i = 0; i < units; i++)
    out[i] = biases[i];
  add_product(units, features, weights, x, out);
}

/* Each layer has its weights, then its biases. */
static double network(int n, int classes, int hidden, int features, const double *RESTRICT first,
                      const double *RESTRICT second, const double *RESTRICT samples,
                      const int *RESTRICT labels) {
  double *units = malloc(sizeof(double) * (size_t)hidden);
  double *score = malloc(sizeof(double) * (size_t)classes);
  double loss = 0;
  for (int i = 0; i < n; i++) {
    layer(hidden, features, first, first + hidden * features, samples + i * features, units);
    for (int h = 0; h < hidden; h++)
      units[h] = units[h] > 0 ? units[h] : 0;
    layer(classes, hidden, second, second + classes * hidden, units, score);
    loss += log_sum_exp(classes, score) - score[labels[i]];
  }
  free(units);
  free(score);
  return loss / n;
}

static int second_at(const Problem *p) { return (p->sizes[3] + 1) * p->sizes[2]; }

static double primal(const Problem *p) {
  return network(p->sizes[0], p->sizes[1], p->sizes[2], p->sizes[3], p->x, p->x + second_at(p),
                 p->data, p->labels);
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)network, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_const, p->sizes[2], enzyme_const, p->sizes[3], enzyme_dup, p->x,
                          direction, enzyme_dup, p->x + second_at(p), direction + second_at(p),
                          enzyme_const, p->data, enzyme_const, p->labels);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)network, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_const, p->sizes[2], enzyme_const, p->sizes[3], enzyme_dup, p->x,
                    gradient, enzyme_dup, p->x + second_at(p), gradient + second_at(p),
                    enzyme_const, p->data, enzyme_const, p->labels);
}

const Kernel VARIANT(network) = {primal, forward, reverse};

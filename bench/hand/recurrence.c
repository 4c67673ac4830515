// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/recurrence.c by hand. Each step keeps its state and the values of its
 * gates, from which their slopes follow. The products with transposed matrices and the sums into
 * the matrices' adjoints share their loops.
 */
#include "../bench.h"
#include "product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GATES = 3 };

/* What one step keeps: m numbers each. */
typedef struct {
  double *state, *update, *reset, *candidate, *product;
} Step;

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static Step step_at(double *history, int m, int t) {
  double *at = history + (size_t)5 * m * t;
  return (Step){at, at + m, at + 2 * m, at + 3 * m, at + 4 * m};
}

static void step_forward(int m, const double *restrict weights, const double *restrict input,
                         double *restrict gates, const Step *keep, double *restrict state) {
  memcpy(gates, weights + 6 * m * m, sizeof(double) * GATES * (size_t)m);
  memcpy(keep->state, state, sizeof(double) * (size_t)m);
  add_product(GATES * m, m, weights, input, gates);
  add_product(2 * m, m, weights + 3 * m * m, state, gates);
  for (int i = 0; i < m; i++) {
    keep->reset[i] = sigmoid(gates[m + i]);
    keep->product[i] = keep->reset[i] * state[i];
  }
  add_product(m, m, weights + 5 * m * m, keep->product, gates + 2 * m);
  for (int i = 0; i < m; i++) {
    keep->update[i] = sigmoid(gates[i]);
    keep->candidate[i] = tanh(gates[2 * m + i]);
    state[i] += keep->update[i] * (keep->candidate[i] - state[i]);
  }
}

/* From the adjoints of the state after the step to those before it; room for 4 m in `gates`. */
static void step_back(int m, const double *restrict weights, const double *restrict input,
                      const Step *kept, double *restrict gates, double *restrict d_state,
                      double *restrict d_weights) {
  double *d_product = gates + GATES * m;
  for (int i = 0; i < m; i++) {
    double update = kept->update[i];
    double candidate = kept->candidate[i];
    gates[i] = d_state[i] * (candidate - kept->state[i]) * update * (1 - update);
    gates[2 * m + i] = d_state[i] * update * (1 - candidate * candidate);
    d_state[i] *= 1 - update;
    d_product[i] = 0;
  }
  product_back(m, m, weights + 5 * m * m, kept->product, gates + 2 * m, d_weights + 5 * m * m,
               d_product);
  for (int i = 0; i < m; i++) {
    double reset = kept->reset[i];
    gates[m + i] = d_product[i] * kept->state[i] * reset * (1 - reset);
    d_state[i] += d_product[i] * reset;
  }
  product_back(2 * m, m, weights + 3 * m * m, kept->state, gates, d_weights + 3 * m * m, d_state);
  matrix_back(GATES * m, m, input, gates, d_weights);
  for (int i = 0; i < GATES * m; i++)
    d_weights[6 * m * m + i] += gates[i];
}

void recurrence_hand(const Problem *problem, double *gradient) {
  int m = problem->sizes[0];
  int steps = problem->sizes[1];
  double *history = malloc(sizeof(double) * 5 * (size_t)m * (size_t)steps);
  double *gates = malloc(sizeof(double) * 4 * (size_t)m);
  memcpy(problem->state, problem->x, sizeof(double) * (size_t)m);
  for (int t = 0; t < steps; t++) {
    Step keep = step_at(history, m, t);
    step_forward(m, problem->x + m, problem->data + t * m, gates, &keep, problem->state);
  }
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  memcpy(gradient, problem->state, sizeof(double) * (size_t)m);
  for (int t = steps - 1; t >= 0; t--) {
    Step kept = step_at(history, m, t);
    step_back(m, problem->x + m, problem->data + t * m, &kept, gates, gradient, gradient + m);
  }
  free(history);
  free(gates);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * A gated recurrent unit (Cho et al., 2014) whose state is overwritten at each step. The result is
 * half the squared length of the last state.
 */
#include "kernel.h"
#include "product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The gates of each cell: update, reset, candidate. */
enum { GATES = 3 };

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

/* `seen` are the weights of the input, for all gates; `kept` and `tried` those of the state. */
static double recurrence(int m, int steps, double *RESTRICT state, const double *RESTRICT seen,
                         const double *RESTRICT kept, const double *RESTRICT tried,
                         const double *RESTRICT biases, const double *RESTRICT inputs) {
  double *gates = malloc(sizeof(double) * GATES * (size_t)m);
  double *reset = malloc(sizeof(double) * (size_t)m);
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < GATES * m; i++)
      gates[i] = biases[i];
    add_product(GATES * m, m, seen, inputs + t * m, gates);
    add_product(2 * m, m, kept, state, gates);
    for (int i = 0; i < m; i++)
      reset[i] = sigmoid(gates[m + i]) * state[i];
    add_product(m, m, tried, reset, gates + 2 * m);
    for (int i = 0; i < m; i++)
      state[i] += sigmoid(gates[i]) * (tanh(gates[2 * m + i]) - state[i]);
  }
  free(gates);
  free(reset);
  double length = 0;
  for (int i = 0; i < m; i++)
    length += 0.5 * state[i] * state[i];
  return length;
}

/* Where each argument lies among the inputs. */
typedef struct {
  int seen, kept, tried, biases;
} Places;

static Places places(const Problem *p) {
  int m = p->sizes[0];
  return (Places){m, m + 3 * m * m, m + 5 * m * m, m + 6 * m * m};
}

static double primal(const Problem *p) {
  Places at = places(p);
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  return recurrence(p->sizes[0], p->sizes[1], p->state, p->x + at.seen, p->x + at.kept,
                    p->x + at.tried, p->x + at.biases, p->data);
}

static double forward(const Problem *p, const double *direction) {
  Places at = places(p);
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memcpy(p->tangent, direction, sizeof(double) * (size_t)p->states);
  return __enzyme_fwddiff((void *)recurrence, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_dup, p->state, p->tangent, enzyme_dup, p->x + at.seen,
                          direction + at.seen, enzyme_dup, p->x + at.kept, direction + at.kept,
                          enzyme_dup, p->x + at.tried, direction + at.tried, enzyme_dup,
                          p->x + at.biases, direction + at.biases, enzyme_const, p->data);
}

static void reverse(const Problem *p, double *gradient) {
  Places at = places(p);
  memcpy(p->state, p->x, sizeof(double) * (size_t)p->states);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)recurrence, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_dup, p->state, gradient, enzyme_dup, p->x + at.seen, gradient + at.seen,
                    enzyme_dup, p->x + at.kept, gradient + at.kept, enzyme_dup, p->x + at.tried,
                    gradient + at.tried, enzyme_dup, p->x + at.biases, gradient + at.biases,
                    enzyme_const, p->data);
}

const Kernel VARIANT(recurrence) = {primal, forward, reverse};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The gradient by nabla: one call, through all steps and layers. */
#include "lstm.h"

#include <string.h>

typedef double Real;
#include "objective.h"

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

double lstm_value(const Lstm *lstm) {
  const double *weights = lstm->parameters;
  const double *edges = weights + lstm->edges_at;
  return lstm_loss(lstm->layers, lstm->steps, lstm->width, weights, edges, lstm->start,
                   lstm->sequence);
}

void lstm_gradient(const Lstm *lstm, double *gradient) {
  const double *weights = lstm->parameters;
  const double *edges = weights + lstm->edges_at;
  double *d_weights = gradient;
  double *d_edges = gradient + lstm->edges_at;
  memset(gradient, 0, sizeof(double) * (size_t)lstm->size);
  __enzyme_autodiff((void *)lstm_loss, enzyme_const, lstm->layers, enzyme_const, lstm->steps,
                    enzyme_const, lstm->width, enzyme_dup, weights, d_weights, enzyme_dup, edges,
                    d_edges, enzyme_const, lstm->start, enzyme_const, lstm->sequence);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The network of examples/lstm, whose source has no restrict. */
#include "kernel.h"

#include <string.h>

typedef double Real;
#include "../../examples/lstm/objective.h"

static int edges_at(const Problem *p) { return 8 * p->sizes[0] * p->sizes[2]; }

static const double *sequence(const Problem *p) { return p->data + 2 * p->sizes[0] * p->sizes[2]; }

static double primal(const Problem *p) {
  return lstm_loss(p->sizes[0], p->sizes[1], p->sizes[2], p->x, p->x + edges_at(p), p->data,
                   sequence(p));
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)lstm_loss, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_const, p->sizes[2], enzyme_dup, p->x, direction, enzyme_dup,
                          p->x + edges_at(p), direction + edges_at(p), enzyme_const, p->data,
                          enzyme_const, sequence(p));
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)lstm_loss, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_const, p->sizes[2], enzyme_dup, p->x, gradient, enzyme_dup,
                    p->x + edges_at(p), gradient + edges_at(p), enzyme_const, p->data, enzyme_const,
                    sequence(p));
}

const Kernel VARIANT(lstm) = {primal, forward, reverse};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The logarithm of a long sum of exponentials. */
#include "log_sum_exp.h"

#include <string.h>

static double primal(const Problem *p) { return log_sum_exp(p->sizes[0], p->x); }

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)log_sum_exp, enzyme_const, p->sizes[0], enzyme_dup, p->x,
                          direction);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)log_sum_exp, enzyme_const, p->sizes[0], enzyme_dup, p->x, gradient);
}

const Kernel VARIANT(log_sum_exp) = {primal, forward, reverse};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The sum over n numbers of -log(1 - x), each by the first terms of its Taylor series. */
#include "kernel.h"

#include <math.h>
#include <string.h>

static double taylor(int n, int terms, const double *RESTRICT x) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 1; k <= terms; k++)
      sum += pow(x[i], k) / k;
  return sum;
}

static double primal(const Problem *p) { return taylor(p->sizes[0], p->sizes[1], p->x); }

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)taylor, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_dup, p->x, direction);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)taylor, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_dup, p->x, gradient);
}

const Kernel VARIANT(taylor) = {primal, forward, reverse};

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Second derivatives by forward mode of reverse mode, compared with differences of the gradient. */
#ifndef NB_RUN_CURVED_H
#define NB_RUN_CURVED_H

#include "cases.h"

enum { SIZE = 4 };

extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

typedef void Gradient(double *x, double *dx);
typedef void Directed(double *x, double *v, double *dx, double *hv);

static const double start[SIZE] = {0.7, -0.4, 1.3, 0.9};

/* A row of the Hessian's, by forward mode, against differences of the gradient. */
static void compare(Gradient *gradient, Directed *directed) {
  const double step = 1e-5;
  for (int k = 0; k < SIZE; k++) {
    double x[SIZE], v[SIZE] = {0}, dx[SIZE] = {0}, hv[SIZE] = {0};
    double above[SIZE] = {0}, below[SIZE] = {0};
    v[k] = 1;
    memcpy(x, start, sizeof x);
    directed(x, v, dx, hv);
    x[k] = start[k] + step;
    gradient(x, above);
    x[k] = start[k] - step;
    gradient(x, below);
    for (int i = 0; i < SIZE; i++) {
      double slope = (above[i] - below[i]) / (2 * step);
      EXPECT(fabs(hv[i] - slope) < 1e-6 * (1 + fabs(slope)), 1);
    }
  }
}

#define CURVED(name)                                                                               \
  static void name##_gradient(double *x, double *dx) {                                             \
    __enzyme_autodiff((void *)name, enzyme_dup, x, dx);                                            \
  }                                                                                                \
  static void name##_directed(double *x, double *v, double *dx, double *hv) {                      \
    __enzyme_fwddiff((void *)name##_gradient, enzyme_dup, x, v, enzyme_dup, dx, hv);               \
  }

#endif

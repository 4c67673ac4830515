// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Half the squared length of the residuals of examples/ba, whose source has no restrict. */
#include "kernel.h"

#include <string.h>

typedef double Real;
#include "../../examples/ba/objective.h"

enum { CAMERA = 11, POINT = 3, FEATURE = 2 };

/* Observation i is of camera and point i, counted from the start again where there are no more. */
static double bundle(int cameras, int points, int observations, const double *RESTRICT camera,
                     const double *RESTRICT point, const double *RESTRICT weights,
                     const double *RESTRICT features) {
  double sum = 0;
  for (int i = 0; i < observations; i++) {
    double residual[FEATURE];
    reprojection_residual(camera + CAMERA * (i % cameras), point + POINT * (i % points),
                          weights + i, features + FEATURE * i, residual);
    double weight = weight_residual(weights[i]);
    sum += 0.5 * (residual[0] * residual[0] + residual[1] * residual[1] + weight * weight);
  }
  return sum;
}

static int points_at(const Problem *p) { return CAMERA * p->sizes[0]; }

static int weights_at(const Problem *p) { return points_at(p) + POINT * p->sizes[1]; }

static double primal(const Problem *p) {
  return bundle(p->sizes[0], p->sizes[1], p->sizes[2], p->x, p->x + points_at(p),
                p->x + weights_at(p), p->data);
}

static double forward(const Problem *p, const double *direction) {
  return __enzyme_fwddiff((void *)bundle, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                          enzyme_const, p->sizes[2], enzyme_dup, p->x, direction, enzyme_dup,
                          p->x + points_at(p), direction + points_at(p), enzyme_dup,
                          p->x + weights_at(p), direction + weights_at(p), enzyme_const, p->data);
}

static void reverse(const Problem *p, double *gradient) {
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)bundle, enzyme_const, p->sizes[0], enzyme_const, p->sizes[1],
                    enzyme_const, p->sizes[2], enzyme_dup, p->x, gradient, enzyme_dup,
                    p->x + points_at(p), gradient + points_at(p), enzyme_dup, p->x + weights_at(p),
                    gradient + weights_at(p), enzyme_const, p->data);
}

const Kernel VARIANT(bundle) = {primal, forward, reverse};

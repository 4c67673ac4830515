// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* All residuals in double, for the files in which nabla is at work. */
#ifndef EXAMPLES_BA_RESIDUALS_H
#define EXAMPLES_BA_RESIDUALS_H

#include "ba.h"

typedef double Real;
#include "objective.h"

/* At the parameters x, wherever they lie. */
static inline void residuals_at(const Ba *ba, const double *x, double *residuals) {
  double *weights = residuals + FEATURE * ba->p;
  for (int i = 0; i < ba->p; i++) {
    reprojection_residual(x + ba_camera(ba, i), x + ba_point(ba, i), x + ba_weight(ba, i),
                          ba->features + FEATURE * i, residuals + FEATURE * i);
    weights[i] = weight_residual(x[ba_weight(ba, i)]);
  }
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* All residuals in double, for the files in which nabla is at work. */
#ifndef EXAMPLES_BA_RESIDUALS_H
#define EXAMPLES_BA_RESIDUALS_H

#include "ba.h"

typedef double Real;
#include "objective.h"

/* At the parameters x, wherever they lie. What says where is copied: a call that may set errno does
 * not change it. */
static inline void residuals_at(const Ba *ba, const double *x, double *residuals) {
  const Ba set = *ba;
  double *weights = residuals + FEATURE * set.p;
  for (int i = 0; i < set.p; i++) {
    reprojection_residual(x + ba_camera(&set, i), x + ba_point(&set, i), x + ba_weight(&set, i),
                          set.features + FEATURE * i, residuals + FEATURE * i);
    weights[i] = weight_residual(x[ba_weight(&set, i)]);
  }
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The sparse Jacobian by nabla: rows by reverse mode, written straight into their places. */
#include "ba.h"

#include <string.h>

#include "residuals.h"

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

void ba_residuals(const Ba *ba, double *residuals) { residuals_at(ba, ba->parameters, residuals); }

/*
 * One row: the gradient of one of the two residuals of observation i. The seed on the residuals
 * says which; the shadows of camera, point and weight are the row's own values; the residuals
 * themselves are not needed, so there is no memory for them.
 */
static void residual_gradient(const Ba *ba, int i, int which, double *row) {
  const double *camera = ba->parameters + ba_camera(ba, i);
  const double *point = ba->parameters + ba_point(ba, i);
  const double *weight = ba->parameters + ba_weight(ba, i);
  const double *feature = ba->features + FEATURE * i;
  double *d_camera = row;
  double *d_point = row + CAMERA;
  double *d_weight = row + CAMERA + POINT;
  double *no_residual = NULL;
  double seed[FEATURE] = {0};
  seed[which] = 1;
  memset(row, 0, sizeof(double) * BLOCK);
  __enzyme_autodiff((void *)reprojection_residual, enzyme_dup, camera, d_camera, enzyme_dup, point,
                    d_point, enzyme_dup, weight, d_weight, enzyme_const, feature, enzyme_dupnoneed,
                    no_residual, seed);
}

static double weight_derivative(double weight) {
  return __enzyme_fwddiff((void *)weight_residual, enzyme_dup, weight, 1.0);
}

const char *const ba_method = "";

Sparse ba_jacobian_new(const Ba *ba) { return ba_pattern(ba); }

void ba_jacobian_free(Sparse *jacobian) { sparse_free(jacobian); }

void ba_jacobian(const Ba *ba, Sparse *jacobian) {
  double *weights = jacobian->values + jacobian->start[FEATURE * ba->p];
  for (int i = 0; i < ba->p; i++) {
    for (int which = 0; which < FEATURE; which++) {
      int row = FEATURE * i + which;
      residual_gradient(ba, i, which, jacobian->values + jacobian->start[row]);
    }
    weights[i] = weight_derivative(ba->parameters[ba_weight(ba, i)]);
  }
}

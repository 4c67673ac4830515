// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The sparse Jacobian by nabla/sparse.h, which is told the residuals and no more. They read a
 * camera, a point and a weight in 14 places, which is the longest kind of row: the derivative
 * stores its entries itself. */
#include <nabla/sparse.h>

#include "../common/input.h"
#include "residuals.h"

#include <stdio.h>

const char *const ba_method = ", found";

static void all_residuals(const double *x, double *y, void *data) { residuals_at(data, x, y); }
NABLA_SPARSE_JACOBIAN(residual_jacobian, all_residuals)

void ba_residuals(const Ba *ba, double *residuals) { residuals_at(ba, ba->parameters, residuals); }

Sparse ba_jacobian_new(const Ba *ba) {
  NablaSparse *matrix =
      nabla_sparse_new(&residual_jacobian, ba->rows, ba->size, ba->parameters, (void *)ba);
  if (!matrix)
    input_fail("ba", "has a Jacobian that finds no room");
  return (Sparse){ba->rows, matrix->start, matrix->column, matrix->value, matrix};
}

void ba_jacobian(const Ba *ba, Sparse *jacobian) {
  nabla_sparse_fill(jacobian->owner, ba->parameters, NULL, (void *)ba);
}

void ba_jacobian_free(Sparse *jacobian) { nabla_sparse_free(jacobian->owner); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The same residuals over dual numbers: derivatives without nabla. */
#include "ba.h"

#include "../common/dual.hpp"

using Real = Dual;
#include "objective.h"

static void write_tangents(const Ba *ba, const Dual &residual, int row, double *derivatives) {
  for (int lane = 0; lane < LANES; lane++)
    derivatives[lane * ba->rows + row] = residual.tangent[lane];
}

void ba_reference(const Ba *ba, const double *directions, double *derivatives) {
  for (int i = 0; i < ba->p; i++) {
    Dual camera[CAMERA], point[POINT], residual[FEATURE];
    for (int c = 0; c < CAMERA; c++)
      camera[c] = lift(ba->parameters, directions, ba->size, ba_camera(ba, i) + c);
    for (int c = 0; c < POINT; c++)
      point[c] = lift(ba->parameters, directions, ba->size, ba_point(ba, i) + c);
    Dual weight = lift(ba->parameters, directions, ba->size, ba_weight(ba, i));
    reprojection_residual(camera, point, &weight, ba->features + FEATURE * i, residual);
    for (int c = 0; c < FEATURE; c++)
      write_tangents(ba, residual[c], FEATURE * i + c, derivatives);
    write_tangents(ba, weight_residual(weight), FEATURE * ba->p + i, derivatives);
  }
}

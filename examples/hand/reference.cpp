// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The same residuals over dual numbers: derivatives without nabla. */
#include "hand.h"

#include "../common/dual.hpp"

#include <vector>

using Real = Dual;
#include "objective.h"

void hand_reference(const Hand *hand, const double *directions, double *derivatives) {
  Dual pose[POSE];
  for (int i = 0; i < POSE; i++)
    pose[i] = lift(hand->pose, directions, POSE, i);
  std::vector<Dual> residuals(hand->rows);
  hand_residuals(&hand->model, hand->n, hand->vertices, hand->points, pose, residuals.data());
  for (int row = 0; row < hand->rows; row++)
    for (int lane = 0; lane < LANES; lane++)
      derivatives[lane * hand->rows + row] = residuals[row].tangent[lane];
}

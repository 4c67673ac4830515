// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The same loss over dual numbers: derivatives without nabla. */
#include "lstm.h"

#include "../common/dual.hpp"

#include <vector>

using Real = Dual;
#include "objective.h"

void lstm_reference(const Lstm *lstm, const double *directions, double *derivatives) {
  std::vector<Dual> p(lstm->size);
  for (int i = 0; i < lstm->size; i++)
    p[i] = lift(lstm->parameters, directions, lstm->size, i);
  Dual value = lstm_loss(lstm->layers, lstm->steps, lstm->width, p.data(),
                         p.data() + lstm->edges_at, lstm->start, lstm->sequence);
  for (int lane = 0; lane < LANES; lane++)
    derivatives[lane] = value.tangent[lane];
}

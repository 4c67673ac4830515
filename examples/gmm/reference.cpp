// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The same objective over dual numbers: derivatives without nabla. */
#include "gmm.h"

#include "../common/dual.hpp"

#include <vector>

using Real = Dual;
#include "objective.h"

void gmm_reference(const Gmm *gmm, const double *directions, double *derivatives) {
  std::vector<Dual> p(gmm->size);
  for (int i = 0; i < gmm->size; i++)
    p[i] = lift(gmm->parameters, directions, gmm->size, i);
  Dual value = gmm_objective(gmm->d, gmm->k, gmm->n, p.data(), p.data() + gmm->means_at,
                             p.data() + gmm->factors_at, gmm->points, gmm->gamma, gmm->m);
  for (int lane = 0; lane < LANES; lane++)
    derivatives[lane] = value.tangent[lane];
}

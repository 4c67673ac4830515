// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The gradient by nabla: one call. */
#include "gmm.h"

#include <string.h>

typedef double Real;
#include "objective.h"

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

double gmm_value(const Gmm *gmm) {
  const double *p = gmm->parameters;
  return gmm->constant + gmm_objective(gmm->d, gmm->k, gmm->n, p, p + gmm->means_at,
                                       p + gmm->factors_at, gmm->points, gmm->gamma, gmm->m);
}

void gmm_gradient(const Gmm *gmm, double *gradient) {
  const double *alphas = gmm->parameters;
  const double *means = alphas + gmm->means_at;
  const double *factors = alphas + gmm->factors_at;
  double *d_alphas = gradient;
  double *d_means = gradient + gmm->means_at;
  double *d_factors = gradient + gmm->factors_at;
  memset(gradient, 0, sizeof(double) * (size_t)gmm->size);
  __enzyme_autodiff((void *)gmm_objective, enzyme_const, gmm->d, enzyme_const, gmm->k, enzyme_const,
                    gmm->n, enzyme_dup, alphas, d_alphas, enzyme_dup, means, d_means, enzyme_dup,
                    factors, d_factors, enzyme_const, gmm->points, enzyme_const, gmm->gamma,
                    enzyme_const, gmm->m);
}

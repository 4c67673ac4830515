// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The gradient of the objective in Rust (objective.rs), at the link step. */
#include "gmm.h"

#include <string.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

double gmm_objective_rust(int d, int k, int n, const double *alphas, const double *means,
                          const double *factors, const double *points, double gamma, int m);

double gmm_value(const Gmm *gmm) {
  const double *p = gmm->parameters;
  return gmm->constant + gmm_objective_rust(gmm->d, gmm->k, gmm->n, p, p + gmm->means_at,
                                            p + gmm->factors_at, gmm->points, gmm->gamma, gmm->m);
}

void gmm_gradient(const Gmm *gmm, double *gradient) {
  const double *alphas = gmm->parameters;
  double *d_means = gradient + gmm->means_at, *d_factors = gradient + gmm->factors_at;
  memset(gradient, 0, sizeof(double) * (size_t)gmm->size);
  __enzyme_autodiff((void *)gmm_objective_rust, enzyme_const, gmm->d, enzyme_const, gmm->k,
                    enzyme_const, gmm->n, enzyme_dup, alphas, gradient, enzyme_dup,
                    alphas + gmm->means_at, d_means, enzyme_dup, alphas + gmm->factors_at,
                    d_factors, enzyme_const, gmm->points, enzyme_const, gmm->gamma, enzyme_const,
                    gmm->m);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fitting a mixture of k Gaussians to n points of d coordinates each. */
#ifndef EXAMPLES_GMM_H
#define EXAMPLES_GMM_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The parameters stand one after another: k log-weights, k means from `means_at` on, k factors of
 * inverse covariances from `factors_at` on. The gradient has the same layout.
 */
typedef struct {
  int d, k, n;
  int means_at, factors_at, size;
  double *parameters; /* size */
  double *points;     /* n * d */
  double gamma;       /* of the Wishart prior */
  int m;              /* of the Wishart prior */
  double constant;    /* the terms of the objective in which no parameter occurs */
} Gmm;

typedef struct Input Input;

/* The problem in a file, or one of the given sizes made from a fixed seed; owned by the caller. */
Gmm gmm_new(const Input *input);
void gmm_free(Gmm *gmm);

double gmm_value(const Gmm *gmm);

/* Writes the gradient: `size` numbers, by reverse mode. */
void gmm_gradient(const Gmm *gmm, double *gradient);

/* Writes the LANES derivatives in the given directions, by dual numbers. */
void gmm_reference(const Gmm *gmm, const double *directions, double *derivatives);

#ifdef __cplusplus
}
#endif
#endif

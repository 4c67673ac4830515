// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/gmm.c by hand: point by point, as the adjoint of a term is its
 * probability. The distances of one point from all components are kept until its way back.
 */
#include "../bench.h"
#include "softmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const double *mean, *diagonal, *below;
  double *d_mean, *d_diagonal, *d_below;
} Component;

static double half_distance(int d, const Component *component, const double *restrict point,
                            double *restrict distance, double *restrict white) {
#pragma clang fp reassociate(on)
  const double *restrict mean = component->mean;
  const double *restrict diagonal = component->diagonal;
  const double *restrict below = component->below;
  for (int row = 0; row < d; row++) {
    distance[row] = point[row] - mean[row];
    white[row] = diagonal[row] * distance[row];
  }
  for (int column = 0; column < d; column++)
    for (int row = column + 1; row < d; row++)
      white[row] += *below++ * distance[column];
  double sum = 0;
  for (int row = 0; row < d; row++)
    sum += white[row] * white[row];
  return 0.5 * sum;
}

/* `adjoint` is that of half the squared length of `white`, which is scaled by it. */
static void distance_back(int d, const Component *component, double adjoint,
                          const double *restrict distance, double *restrict white) {
#pragma clang fp reassociate(on)
  const double *restrict diagonal = component->diagonal;
  const double *restrict below = component->below;
  double *restrict d_mean = component->d_mean;
  double *restrict d_diagonal = component->d_diagonal;
  double *restrict d_below = component->d_below;
  for (int row = 0; row < d; row++) {
    white[row] *= adjoint;
    d_diagonal[row] += white[row] * distance[row];
  }
  for (int column = 0; column < d; column++) {
    double sum = diagonal[column] * white[column];
    for (int row = column + 1; row < d; row++) {
      sum += *below++ * white[row];
      *d_below++ += white[row] * distance[column];
    }
    d_mean[column] -= sum;
  }
}

/* For one point; `d_offsets` collects the probabilities. */
static void point_back(int d, int k, const double *restrict offsets, const Component *components,
                       const double *restrict point, double *restrict terms,
                       double *restrict distances, double *restrict d_offsets) {
  double *whites = distances + k * d;
  for (int c = 0; c < k; c++)
    terms[c] =
        offsets[c] - half_distance(d, components + c, point, distances + c * d, whites + c * d);
  softmax(k, 1, terms);
  for (int c = 0; c < k; c++) {
    d_offsets[c] += terms[c];
    distance_back(d, components + c, -terms[c], distances + c * d, whites + c * d);
  }
}

static void prepare(int d, int k, const double *x, double *gradient, double *offsets,
                    double *diagonals, Component *components) {
  int factor = d * (d + 1) / 2;
  for (int c = 0; c < k; c++) {
    int at = k * (1 + d) + c * factor;
    offsets[c] = x[c];
    for (int i = 0; i < d; i++) {
      offsets[c] += x[at + i];
      diagonals[c * d + i] = exp(x[at + i]);
    }
    components[c] = (Component){x + k + c * d,        diagonals + c * d, x + at + d,
                                gradient + k + c * d, gradient + at,     gradient + at + d};
  }
}

/* From the adjoints of offsets and diagonals to those of weights and factors. */
static void prepare_back(int d, int k, int n, const Component *components, const double *alphas,
                         const double *d_offsets, double *gradient) {
  memcpy(gradient, alphas, sizeof(double) * (size_t)k);
  softmax(k, 1, gradient);
  for (int c = 0; c < k; c++) {
    gradient[c] = d_offsets[c] - n * gradient[c];
    for (int i = 0; i < d; i++)
      components[c].d_diagonal[i] =
          components[c].d_diagonal[i] * components[c].diagonal[i] + d_offsets[c];
  }
}

void gmm_hand(const Problem *problem, double *gradient) {
  int d = problem->sizes[0];
  int k = problem->sizes[1];
  int n = problem->sizes[2];
  double *offsets = malloc(sizeof(double) * 3 * (size_t)k * (size_t)(1 + d));
  double *terms = offsets + k;
  double *d_offsets = terms + k;
  double *diagonals = d_offsets + k;
  double *distances = diagonals + k * d;
  Component *components = malloc(sizeof(Component) * (size_t)k);
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  memset(d_offsets, 0, sizeof(double) * (size_t)k);
  prepare(d, k, problem->x, gradient, offsets, diagonals, components);
  for (int i = 0; i < n; i++)
    point_back(d, k, offsets, components, problem->data + i * d, terms, distances, d_offsets);
  prepare_back(d, k, n, components, problem->x, d_offsets, gradient);
  free(offsets);
  free(components);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gmm.h"

#include "../common/input.h"
#include "../common/random.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

static Gmm sized(const int *sizes) {
  Gmm gmm = {.d = sizes[0], .k = sizes[1], .n = sizes[2]};
  gmm.means_at = gmm.k;
  gmm.factors_at = gmm.means_at + gmm.k * gmm.d;
  gmm.size = gmm.factors_at + gmm.k * (gmm.d * (gmm.d + 1) / 2);
  gmm.parameters = doubles_new(gmm.size);
  gmm.points = doubles_new((long)gmm.n * gmm.d);
  return gmm;
}

/* The file holds the parameters, then all points or one that stands for all, then the prior. */
static void fill_from_file(Gmm *gmm, const Input *input) {
  long all_points = (long)gmm->n * gmm->d;
  int one_point = input->count == gmm->size + gmm->d + 2;
  double prior[2];
  long next = 0;
  input_take(input, &next, gmm->parameters, gmm->size, 0);
  input_take(input, &next, gmm->points, all_points, one_point ? gmm->d : 0);
  input_take(input, &next, prior, 2, 0);
  if (next != input->count)
    input_fail(input->name, "holds more numbers than its sizes ask for");
  gmm->gamma = prior[0];
  gmm->m = (int)prior[1];
}

static void fill_from_seed(Gmm *gmm) {
  Random random = random_start(1);
  for (int i = 0; i < gmm->size; i++)
    gmm->parameters[i] = random_between(&random, -1, 1);
  for (long i = 0; i < (long)gmm->n * gmm->d; i++)
    gmm->points[i] = random_between(&random, -2, 2);
  gmm->gamma = 1;
  gmm->m = 0;
}

/* The logarithm of the multivariate gamma function of dimension d. */
static double log_gamma(double a, int d) {
  double sum = 0.25 * d * (d - 1) * log(PI);
  for (int j = 0; j < d; j++)
    sum += lgamma(a - 0.5 * j);
  return sum;
}

static double constant_terms(const Gmm *gmm) {
  int freedom = gmm->d + gmm->m + 1;
  double likelihood = -0.5 * gmm->n * gmm->d * log(2 * PI);
  double wishart = freedom * gmm->d * (log(gmm->gamma) - 0.5 * log(2));
  return likelihood - gmm->k * (wishart - log_gamma(0.5 * freedom, gmm->d));
}

Gmm gmm_new(const Input *input) {
  Gmm gmm = sized(input->sizes);
  if (input->numbers)
    fill_from_file(&gmm, input);
  else
    fill_from_seed(&gmm);
  gmm.constant = constant_terms(&gmm);
  return gmm;
}

void gmm_free(Gmm *gmm) {
  free(gmm->parameters);
  free(gmm->points);
}

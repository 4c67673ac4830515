// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

#include "random.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 32 };

Directions directions_of(int size) {
  if (size <= 2 * SAMPLES)
    return (Directions){size, size, size};
  return (Directions){size, SAMPLES, 2 * SAMPLES};
}

static void unit_vector(const Directions *set, int index, double *out) {
  Random random = random_start(index);
  int all = set->coordinates == set->size;
  out[all ? index : random_below(&random, set->size)] = 1;
}

static void random_vector(const Directions *set, int index, double *out) {
  Random random = random_start(index);
  for (int i = 0; i < set->size; i++)
    out[i] = random_between(&random, -1, 1);
}

void directions_fill(const Directions *set, int first, double *out) {
  memset(out, 0, sizeof(double) * LANES * (size_t)set->size);
  for (int index = first; index < first + LANES && index < set->count; index++) {
    if (index < set->coordinates)
      unit_vector(set, index, out);
    else
      random_vector(set, index, out);
    out += set->size;
  }
}

double dot_product(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

double larger(double a, double b) {
  if (isnan(a) || isnan(b))
    return NAN;
  return a > b ? a : b;
}

double worst_error(const double *a, const double *b, int count) {
  double scale = 0;
  for (int i = 0; i < count; i++)
    scale = larger(scale, fabs(b[i]));
  double worst = 0;
  for (int i = 0; i < count; i++) {
    double difference = fabs(a[i] - b[i]);
    if (difference != 0)
      worst = larger(worst, difference / (fabs(b[i]) + 1e-3 * scale));
  }
  return worst;
}

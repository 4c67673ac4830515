// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ba.h"

#include "../common/input.h"
#include "../common/random.h"

#include <stdlib.h>

static Ba sized(const int *sizes) {
  Ba ba = {.n = sizes[0], .m = sizes[1], .p = sizes[2]};
  ba.size = ba_weight(&ba, ba.p);
  ba.rows = FEATURE * ba.p + ba.p;
  ba.parameters = doubles_new(ba.size);
  ba.features = doubles_new((long)FEATURE * ba.p);
  return ba;
}

/* The file holds all cameras, points, weights and features, or one of each that stands for all. */
static void fill_from_file(Ba *ba, const Input *input) {
  int one = input->count == CAMERA + POINT + 1 + FEATURE;
  long next = 0;
  double *parameters = ba->parameters;
  input_take(input, &next, parameters, (long)CAMERA * ba->n, one ? CAMERA : 0);
  input_take(input, &next, parameters + ba_point(ba, 0), (long)POINT * ba->m, one ? POINT : 0);
  input_take(input, &next, parameters + ba_weight(ba, 0), ba->p, one ? 1 : 0);
  input_take(input, &next, ba->features, (long)FEATURE * ba->p, one ? FEATURE : 0);
  if (next != input->count)
    input_fail(input->name, "holds more numbers than its sizes ask for");
}

/* A camera ten units away from the points, looking at them. */
static void make_camera(Random *random, double *camera) {
  static const double middle[CAMERA] = {0, 0, 0, 0, 0, -10, 400, 0, 0, 0, 0};
  static const double spread[CAMERA] = {0.2, 0.2, 0.2, 1, 1, 1, 50, 10, 10, 0.1, 0.01};
  for (int i = 0; i < CAMERA; i++)
    camera[i] = middle[i] + spread[i] * random_between(random, -1, 1);
}

static void fill_from_seed(Ba *ba) {
  Random random = random_start(1);
  for (int i = 0; i < ba->n; i++)
    make_camera(&random, ba->parameters + ba_camera(ba, i));
  for (int i = ba_point(ba, 0); i < ba_weight(ba, 0); i++)
    ba->parameters[i] = random_between(&random, -2, 2);
  for (int i = ba_weight(ba, 0); i < ba->size; i++)
    ba->parameters[i] = random_between(&random, 0.5, 1);
  for (int i = 0; i < FEATURE * ba->p; i++)
    ba->features[i] = random_between(&random, -100, 100);
}

Ba ba_new(const Input *input) {
  Ba ba = sized(input->sizes);
  if (input->numbers)
    fill_from_file(&ba, input);
  else
    fill_from_seed(&ba);
  return ba;
}

void ba_free(Ba *ba) {
  free(ba->parameters);
  free(ba->features);
}

static void block_columns(const Ba *ba, int i, int *columns) {
  for (int c = 0; c < CAMERA; c++)
    *columns++ = ba_camera(ba, i) + c;
  for (int c = 0; c < POINT; c++)
    *columns++ = ba_point(ba, i) + c;
  *columns = ba_weight(ba, i);
}

Sparse ba_pattern(const Ba *ba) {
  int blocks = FEATURE * ba->p;
  long count = (long)blocks * BLOCK + ba->p;
  Sparse sparse = {ba->rows, ints_new(ba->rows + 1L), ints_new(count), doubles_new(count), NULL};
  for (int row = 0; row < blocks; row++) {
    sparse.start[row + 1] = sparse.start[row] + BLOCK;
    block_columns(ba, row / FEATURE, sparse.columns + sparse.start[row]);
  }
  for (int row = blocks; row < ba->rows; row++) {
    sparse.start[row + 1] = sparse.start[row] + 1;
    sparse.columns[sparse.start[row]] = ba_weight(ba, row - blocks);
  }
  return sparse;
}

void sparse_free(Sparse *sparse) {
  free(sparse->start);
  free(sparse->columns);
  free(sparse->values);
}

void sparse_times(const Sparse *sparse, const double *vector, double *out) {
  for (int row = 0; row < sparse->rows; row++) {
    out[row] = 0;
    for (int i = sparse->start[row]; i < sparse->start[row + 1]; i++)
      out[row] += sparse->values[i] * vector[sparse->columns[i]];
  }
}

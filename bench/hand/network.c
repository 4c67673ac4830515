// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of kernels/network.c by hand: sample by sample. */
#include "../bench.h"
#include "product.h"
#include "softmax.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int units, features;
  const double *weights, *biases;
  double *d_weights, *d_biases;
} Layer;

static void run(const Layer *layer, const double *restrict x, double *restrict out) {
  memcpy(out, layer->biases, sizeof(double) * (size_t)layer->units);
  add_product(layer->units, layer->features, layer->weights, x, out);
}

static void biases_back(const Layer *layer, const double *restrict adjoint) {
  double *restrict d_biases = layer->d_biases;
  for (int i = 0; i < layer->units; i++)
    d_biases[i] += adjoint[i];
}

/* Adds the adjoints of one sample; what `room` points to holds twice the hidden units, then the
 * classes. */
static void sample_back(const Layer *first, const Layer *second, const double *restrict sample,
                        int label, double seed, double *restrict room) {
  double *units = room;
  double *d_units = units + first->units;
  double *score = d_units + first->units;
  run(first, sample, units);
  for (int h = 0; h < first->units; h++)
    units[h] = units[h] > 0 ? units[h] : 0;
  run(second, units, score);
  softmax(second->units, seed, score);
  score[label] -= seed;
  memset(d_units, 0, sizeof(double) * (size_t)first->units);
  product_back(second->units, second->features, second->weights, units, score, second->d_weights,
               d_units);
  biases_back(second, score);
  for (int h = 0; h < first->units; h++)
    d_units[h] = units[h] > 0 ? d_units[h] : 0;
  matrix_back(first->units, first->features, sample, d_units, first->d_weights);
  biases_back(first, d_units);
}

static Layer layer_at(int units, int features, const double *weights, double *d_weights) {
  int count = units * features;
  return (Layer){units, features, weights, weights + count, d_weights, d_weights + count};
}

void network_hand(const Problem *problem, double *gradient) {
  int n = problem->sizes[0];
  int classes = problem->sizes[1];
  int hidden = problem->sizes[2];
  int features = problem->sizes[3];
  int at = (features + 1) * hidden;
  Layer first = layer_at(hidden, features, problem->x, gradient);
  Layer second = layer_at(classes, hidden, problem->x + at, gradient + at);
  double *room = malloc(sizeof(double) * (size_t)(2 * hidden + classes));
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  for (int i = 0; i < n; i++)
    sample_back(&first, &second, problem->data + i * features, problem->labels[i], 1.0 / n, room);
  free(room);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The loss of a recurrent network with long short-term memory (Hochreiter and Schmidhuber, 1997)
 * that foretells a sequence, in the form of the benchmark that began with Srajer, Kukelova and
 * Fitzgibbon, "A benchmark of selected algorithmic differentiation tools on some problems in
 * computer vision and machine learning" (2018): all its matrices are diagonal.
 *
 * A layer has `width` cells. Its weights are four vectors, one for each gate, and so are its
 * biases, which follow them; its state is the hidden vector, then the cells.
 *
 * Plain C over a type Real, which the including file defines: double, or dual numbers in C++.
 */
#include <math.h>
#include <stdlib.h>

enum { FORGET, INPUT, OUTPUT, CHANGE, GATES };

static Real *reals_new(int count) { return (Real *)malloc(sizeof(Real) * (size_t)count); }

static Real sigmoid(Real x) { return 1 / (1 + exp(-x)); }

/* One step of one layer, whose state is overwritten. */
static void layer_step(int width, const Real *weights, const Real *biases, const Real *input,
                       Real *hidden, Real *cells) {
  for (int i = 0; i < width; i++) {
    int forget = FORGET * width + i;
    int in = INPUT * width + i;
    int out = OUTPUT * width + i;
    int change = CHANGE * width + i;
    Real kept = cells[i] * sigmoid(input[i] * weights[forget] + biases[forget]);
    Real opening = sigmoid(hidden[i] * weights[in] + biases[in]);
    Real added = opening * tanh(hidden[i] * weights[change] + biases[change]);
    cells[i] = kept + added;
    hidden[i] = sigmoid(input[i] * weights[out] + biases[out]) * tanh(cells[i]);
  }
}

/*
 * What the network expects to follow `input`. `edges` holds the weights of what goes in, then
 * those and the biases of what comes out.
 */
static void predict(int layers, int width, const Real *weights, const Real *edges,
                    const double *input, Real *state, Real *prediction) {
  for (int i = 0; i < width; i++)
    prediction[i] = input[i] * edges[i];
  const Real *below = prediction;
  for (int layer = 0; layer < layers; layer++) {
    const Real *here = weights + layer * 2 * GATES * width;
    Real *hidden = state + layer * 2 * width;
    layer_step(width, here, here + GATES * width, below, hidden, hidden + width);
    below = hidden;
  }
  for (int i = 0; i < width; i++)
    prediction[i] = below[i] * edges[width + i] + edges[2 * width + i];
}

/* The logarithm of the sum of all exponentials, to which the benchmark adds two. */
static Real log_sum_exp(int width, const Real *x) {
  Real sum = 2;
  for (int i = 0; i < width; i++)
    sum += exp(x[i]);
  return log(sum);
}

/* The mean cross entropy of sequence[t + 1] and what is foretold of it after sequence[t]. */
static Real lstm_loss(int layers, int steps, int width, const Real *weights, const Real *edges,
                      const double *start, const double *sequence) {
  Real *state = reals_new(2 * layers * width);
  Real *prediction = reals_new(width);
  for (int i = 0; i < 2 * layers * width; i++)
    state[i] = start[i];
  Real total = 0;
  for (int t = 0; t < steps - 1; t++) {
    const double *input = sequence + t * width;
    const double *truth = input + width;
    predict(layers, width, weights, edges, input, state, prediction);
    Real normaliser = log_sum_exp(width, prediction);
    for (int i = 0; i < width; i++)
      total += truth[i] * (prediction[i] - normaliser);
  }
  free(state);
  free(prediction);
  return -total / ((steps - 1) * width);
}

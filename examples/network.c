// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * A small network learns which arm of a spiral a point lies on: two inputs, two hidden layers of
 * tanh, three outputs, cross-entropy, trained by Adam. The gradient of the loss is one call, and is
 * compared with the one by hand, layer by layer (backpropagation), before training and behind it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { INPUTS = 2, HIDDEN = 16, CLASSES = 3, POINTS = 40 * CLASSES, STEPS = 400 };

typedef struct {
  double weight1[HIDDEN][INPUTS], bias1[HIDDEN];
  double weight2[HIDDEN][HIDDEN], bias2[HIDDEN];
  double weight3[CLASSES][HIDDEN], bias3[CLASSES];
} Network;

enum { SIZE = sizeof(Network) / sizeof(double) };

typedef struct {
  double input[INPUTS];
  int arm;
} Point;

/* out = weight * in + bias */
static void layer(int rows, int columns, const double *weight, const double *bias, const double *in,
                  double *out) {
  for (int i = 0; i < rows; i++) {
    out[i] = bias[i];
    for (int j = 0; j < columns; j++)
      out[i] += weight[i * columns + j] * in[j];
  }
}

static void squash(double *x) {
  for (int i = 0; i < HIDDEN; i++)
    x[i] = tanh(x[i]);
}

/* The outputs of the three layers. */
static void run(const Network *net, const double *input, double *first, double *second,
                double *third) {
  layer(HIDDEN, INPUTS, net->weight1[0], net->bias1, input, first);
  squash(first);
  layer(HIDDEN, HIDDEN, net->weight2[0], net->bias2, first, second);
  squash(second);
  layer(CLASSES, HIDDEN, net->weight3[0], net->bias3, second, third);
}

static double log_sum_exp(const double *x) {
  double largest = fmax(x[0], fmax(x[1], x[2])), sum = 0;
  for (int i = 0; i < CLASSES; i++)
    sum += exp(x[i] - largest);
  return largest + log(sum);
}

/* The mean of -log(the probability that the network gives to the right arm). */
static double loss(const Network *net, const Point *points, int count) {
  double sum = 0;
  for (int p = 0; p < count; p++) {
    double first[HIDDEN], second[HIDDEN], third[CLASSES];
    run(net, points[p].input, first, second, third);
    sum += log_sum_exp(third) - third[points[p].arm];
  }
  return sum / count;
}

static void gradient(const Network *net, const Point *points, Network *out) {
  memset(out, 0, sizeof *out);
  __enzyme_autodiff((void *)loss, enzyme_dup, net, out, enzyme_const, points, enzyme_const, POINTS);
}

/* The adjoint of layer(): adds to those of weight and bias, writes that of `in`. */
static void layer_back(int rows, int columns, const double *weight, const double *in,
                       const double *d_out, double *d_weight, double *d_bias, double *d_in) {
  memset(d_in, 0, sizeof(double) * (size_t)columns);
  for (int i = 0; i < rows; i++) {
    d_bias[i] += d_out[i];
    for (int j = 0; j < columns; j++) {
      d_weight[i * columns + j] += d_out[i] * in[j];
      d_in[j] += d_out[i] * weight[i * columns + j];
    }
  }
}

static void squash_back(const double *out, double *adjoint) {
  for (int i = 0; i < HIDDEN; i++)
    adjoint[i] *= 1 - out[i] * out[i];
}

static void gradient_by_hand(const Network *net, const Point *points, Network *out) {
  memset(out, 0, sizeof *out);
  for (int p = 0; p < POINTS; p++) {
    double first[HIDDEN], second[HIDDEN], third[CLASSES];
    double d_input[INPUTS], d_first[HIDDEN], d_second[HIDDEN], d_third[CLASSES];
    run(net, points[p].input, first, second, third);
    double all = log_sum_exp(third);
    for (int i = 0; i < CLASSES; i++)
      d_third[i] = (exp(third[i] - all) - (i == points[p].arm)) / POINTS;
    layer_back(CLASSES, HIDDEN, net->weight3[0], second, d_third, out->weight3[0], out->bias3,
               d_second);
    squash_back(second, d_second);
    layer_back(HIDDEN, HIDDEN, net->weight2[0], first, d_second, out->weight2[0], out->bias2,
               d_first);
    squash_back(first, d_first);
    layer_back(HIDDEN, INPUTS, net->weight1[0], points[p].input, d_first, out->weight1[0],
               out->bias1, d_input);
  }
}

/* The largest difference, relative to the largest number. */
static double compare(const Network *net, const Point *points) {
  Network derived, by_hand;
  gradient(net, points, &derived);
  gradient_by_hand(net, points, &by_hand);
  const double *a = (const double *)&derived, *b = (const double *)&by_hand;
  double error = 0, largest = 0;
  for (int i = 0; i < SIZE; i++) {
    error = fmax(error, fabs(a[i] - b[i]));
    largest = fmax(largest, fabs(b[i]));
  }
  printf("gradient: largest difference from the one by hand %.1e\n", error / largest);
  return error / largest;
}

/* Kingma and Ba's method, with their constants. */
static void train(Network *net, const Point *points) {
  double mean[SIZE] = {0}, square[SIZE] = {0}, *w = (double *)net;
  Network slope;
  const double *g = (const double *)&slope;
  for (int step = 1; step <= STEPS; step++) {
    gradient(net, points, &slope);
    double rate = 0.02 * sqrt(1 - pow(0.999, step)) / (1 - pow(0.9, step));
    for (int i = 0; i < SIZE; i++) {
      mean[i] += 0.1 * (g[i] - mean[i]);
      square[i] += 0.001 * (g[i] * g[i] - square[i]);
      w[i] -= rate * mean[i] / (sqrt(square[i]) + 1e-8);
    }
    if (step % 100 == 0)
      printf("step %d: loss %.4f\n", step, loss(net, points, POINTS));
  }
}

static int right_ones(const Network *net, const Point *points) {
  int right = 0;
  for (int p = 0; p < POINTS; p++) {
    double first[HIDDEN], second[HIDDEN], third[CLASSES];
    run(net, points[p].input, first, second, third);
    int arm = points[p].arm;
    right += third[arm] >= fmax(third[0], fmax(third[1], third[2]));
  }
  return right;
}

static void begin(Network *net, Point *points) {
  double *w = (double *)net;
  for (int i = 0; i < SIZE; i++)
    w[i] = 0.5 * sin(1.7 * i * i);
  for (int p = 0; p < POINTS; p++) {
    double along = (p / CLASSES + 1.0) * CLASSES / POINTS;
    double angle = 4 * along + 2 * 3.14159265358979 / CLASSES * (p % CLASSES);
    points[p] = (Point){{along * cos(angle), along * sin(angle)}, p % CLASSES};
  }
}

int main(void) {
  Network net;
  Point points[POINTS];
  begin(&net, points);
  double error = compare(&net, points);
  train(&net, points);
  error = fmax(error, compare(&net, points));
  int right = right_ones(&net, points);
  printf("%d of %d points on the right arm\n", right, POINTS);
  return !(error <= 1e-10 && right == POINTS);
}

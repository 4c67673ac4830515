// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The adjoint of kernels/gmm.c by hand: four points at a time, so that all loops over rows are of
 * vectors, and with what is added up over the points apart for each of the four. The adjoint of a
 * term is its probability. The distances of four points from all components are kept until their
 * way back; the factors are copied once, row by row.
 */
#include "../bench.h"
#include "softmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 4 };

/* A number of each of the points that are gone through together. */
typedef struct {
  double of[WIDTH];
} Points;

/* Of a component; `below` is the factor below its diagonal by columns, `rows` by rows. */
typedef struct {
  const double *mean, *diagonal, *below, *rows;
  double *d_mean, *d_factor;
  Points *d_diagonal, *d_below;
} Component;

typedef struct {
  int d, k;
  double *offsets, *d_offsets, *terms;
  Component *components;
  Points *points, *distances, *whites;
} Mixture;

static double sum(Points numbers) {
  return (numbers.of[0] + numbers.of[1]) + (numbers.of[2] + numbers.of[3]);
}

static Points half_distances(int d, const Component *component, const Points *restrict points,
                             Points *restrict distances, Points *restrict whites) {
  const double *restrict mean = component->mean;
  const double *restrict diagonal = component->diagonal;
  const double *restrict rows = component->rows;
  Points half = {{0}};
  for (int row = 0; row < d; row++) {
    Points white;
    for (int p = 0; p < WIDTH; p++)
      distances[row].of[p] = points[row].of[p] - mean[row];
    for (int p = 0; p < WIDTH; p++)
      white.of[p] = diagonal[row] * distances[row].of[p];
    for (int column = 0; column < row; column++) {
      double factor = *rows++;
      for (int p = 0; p < WIDTH; p++)
        white.of[p] += factor * distances[column].of[p];
    }
    whites[row] = white;
    for (int p = 0; p < WIDTH; p++)
      half.of[p] += 0.5 * white.of[p] * white.of[p];
  }
  return half;
}

/* `adjoint` is that of half the squared length of `whites`, which are scaled by it. */
static void distances_back(int d, const Component *component, Points adjoint,
                           const Points *restrict distances, Points *restrict whites) {
  const double *restrict diagonal = component->diagonal;
  const double *restrict below = component->below;
  double *restrict d_mean = component->d_mean;
  Points *restrict d_diagonal = component->d_diagonal;
  Points *restrict d_below = component->d_below;
  for (int row = 0; row < d; row++) {
    for (int p = 0; p < WIDTH; p++)
      whites[row].of[p] *= adjoint.of[p];
    for (int p = 0; p < WIDTH; p++)
      d_diagonal[row].of[p] += whites[row].of[p] * distances[row].of[p];
  }
  for (int column = 0; column < d; column++) {
    Points own = distances[column];
    Points back;
    for (int p = 0; p < WIDTH; p++)
      back.of[p] = diagonal[column] * whites[column].of[p];
    for (int row = column + 1; row < d; row++, d_below++) {
      double factor = *below++;
      for (int p = 0; p < WIDTH; p++)
        back.of[p] += factor * whites[row].of[p];
      for (int p = 0; p < WIDTH; p++)
        d_below->of[p] += whites[row].of[p] * own.of[p];
    }
    d_mean[column] -= sum(back);
  }
}

/* Reads `count` points; the others of the four are the first once more. */
static void read_points(int d, int count, const double *data, Points *points) {
  for (int i = 0; i < d; i++)
    for (int p = 0; p < WIDTH; p++)
      points[i].of[p] = data[(p < count ? p : 0) * d + i];
}

/* For `count` points; `d_offsets` collects the probabilities. */
static void points_back(const Mixture *mixture, int count, const double *data) {
  int d = mixture->d;
  int k = mixture->k;
  double *terms = mixture->terms;
  read_points(d, count, data, mixture->points);
  for (int c = 0; c < k; c++) {
    Points half = half_distances(d, mixture->components + c, mixture->points,
                                 mixture->distances + c * d, mixture->whites + c * d);
    for (int p = 0; p < WIDTH; p++)
      terms[p * k + c] = mixture->offsets[c] - half.of[p];
  }
  for (int p = 0; p < count; p++)
    softmax(k, 1, terms + p * k);
  memset(terms + count * k, 0, sizeof(double) * (size_t)(k * (WIDTH - count)));
  for (int c = 0; c < k; c++) {
    Points adjoint;
    for (int p = 0; p < WIDTH; p++)
      adjoint.of[p] = -terms[p * k + c];
    mixture->d_offsets[c] -= sum(adjoint);
    distances_back(d, mixture->components + c, adjoint, mixture->distances + c * d,
                   mixture->whites + c * d);
  }
}

static void copy_rows(int d, const double *below, double *rows) {
  for (int column = 0; column < d; column++)
    for (int row = column + 1; row < d; row++)
      rows[row * (row - 1) / 2 + column] = *below++;
}

/* Takes what the components need of `numbers` and of `points`. */
static void prepare(const Mixture *mixture, const double *x, double *gradient, double *numbers,
                    Points *points) {
  int d = mixture->d;
  int k = mixture->k;
  int below = d * (d - 1) / 2;
  int factor = d + below;
  for (int c = 0; c < k; c++) {
    int at = k * (1 + d) + c * factor;
    double *diagonal = numbers + c * factor;
    mixture->offsets[c] = x[c];
    for (int i = 0; i < d; i++) {
      mixture->offsets[c] += x[at + i];
      diagonal[i] = exp(x[at + i]);
    }
    copy_rows(d, x + at + d, diagonal + d);
    Points *d_diagonal = points + c * factor;
    mixture->components[c] =
        (Component){x + k + c * d,        diagonal,      x + at + d, diagonal + d,
                    gradient + k + c * d, gradient + at, d_diagonal, d_diagonal + d};
  }
}

/* From the adjoints of offsets and diagonals to those of weights and factors. */
static void prepare_back(const Mixture *mixture, int n, const double *alphas, double *gradient) {
  int d = mixture->d;
  int k = mixture->k;
  memcpy(gradient, alphas, sizeof(double) * (size_t)k);
  softmax(k, 1, gradient);
  for (int c = 0; c < k; c++) {
    const Component *component = mixture->components + c;
    double d_offset = mixture->d_offsets[c];
    gradient[c] = d_offset - n * gradient[c];
    for (int i = 0; i < d; i++)
      component->d_factor[i] = sum(component->d_diagonal[i]) * component->diagonal[i] + d_offset;
    for (int i = 0; i < d * (d - 1) / 2; i++)
      component->d_factor[d + i] = sum(component->d_below[i]);
  }
}

void gmm_hand(const Problem *problem, double *gradient) {
  int d = problem->sizes[0];
  int k = problem->sizes[1];
  int n = problem->sizes[2];
  int factors = k * (d * (d + 1) / 2);
  double *numbers = calloc((size_t)(k * (2 + WIDTH) + factors), sizeof(double));
  Points *points = calloc((size_t)(d + 2 * k * d + factors), sizeof(Points));
  Component *components = malloc(sizeof(Component) * (size_t)k);
  Mixture mixture = {.d = d,
                     .k = k,
                     .offsets = numbers,
                     .d_offsets = numbers + k,
                     .terms = numbers + 2 * k,
                     .components = components,
                     .points = points,
                     .distances = points + d,
                     .whites = points + d + k * d};
  memset(gradient, 0, sizeof(double) * (size_t)problem->inputs);
  prepare(&mixture, problem->x, gradient, numbers + k * (2 + WIDTH), points + d + 2 * k * d);
  for (int i = 0; i < n; i += WIDTH)
    points_back(&mixture, n - i < WIDTH ? n - i : WIDTH, problem->data + i * d);
  prepare_back(&mixture, n, problem->x, gradient);
  free(numbers);
  free(points);
  free(components);
}

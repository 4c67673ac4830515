// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

#include "../examples/common/input.h"
#include "../examples/common/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* n * n cells, steps; the cells and their conductivities. */
static void shape_diffusion(Problem *p) {
  p->states = p->sizes[0] * p->sizes[0];
  p->inputs = 2 * p->states;
  p->numbers = p->states;
}

/* n samples, classes, features; weights and biases. */
static void shape_logistic(Problem *p) {
  p->inputs = p->sizes[1] * (p->sizes[2] + 1);
  p->numbers = p->sizes[0] * p->sizes[2];
  p->integers = p->sizes[0];
}

/* n bodies; three coordinates and the mass. */
static void shape_nbody(Problem *p) { p->inputs = 4 * p->sizes[0]; }

/* m cells, steps; the state, six matrices, three vectors of biases. */
static void shape_recurrence(Problem *p) {
  int m = p->sizes[0];
  p->states = m;
  p->inputs = 4 * m + 6 * m * m;
  p->numbers = m * p->sizes[1];
}

/* d dimensions, k components, n points; weights, means and factors. */
static void shape_gmm(Problem *p) {
  int d = p->sizes[0];
  p->inputs = p->sizes[1] * (1 + d + d * (d + 1) / 2);
  p->numbers = d * p->sizes[2];
}

/* n terms. */
static void shape_log_sum_exp(Problem *p) { p->inputs = p->sizes[0]; }

/* n numbers, terms of the series of each. */
static void shape_taylor(Problem *p) { p->inputs = p->sizes[0]; }

/* Rows and columns of a matrix, which is followed by a vector. */
static void shape_descent(Problem *p) { p->inputs = (p->sizes[0] + 1) * p->sizes[1]; }

/* n samples, classes, hidden units, features; weights and biases of two layers. */
static void shape_network(Problem *p) {
  int hidden = p->sizes[2];
  p->inputs = (p->sizes[3] + 1) * hidden + (hidden + 1) * p->sizes[1];
  p->numbers = p->sizes[0] * p->sizes[3];
  p->integers = p->sizes[0];
}

/* n complex numbers; half as many waves, and weights. */
static void shape_fft_iterative(Problem *p) {
  p->states = p->inputs = 2 * p->sizes[0];
  p->numbers = 3 * p->sizes[0];
}

static void shape_fft_recursive(Problem *p) { shape_fft_iterative(p); }

/* Steps; four rates and the first state. */
static void shape_euler(Problem *p) { p->inputs = 6; }

static void shape_rk4(Problem *p) { shape_euler(p); }

/* Until when; the rest as for Euler's. */
static void shape_dormand_prince(Problem *p) { shape_euler(p); }

/* n * n cells, steps; two concentrations in each. */
static void shape_brusselator(Problem *p) { p->states = p->inputs = 2 * p->sizes[0] * p->sizes[0]; }

/* n * n * n cells, steps; how much is in each cell, and its rates of growth. */
static void shape_stencil(Problem *p) {
  p->states = p->sizes[0] * p->sizes[0] * p->sizes[0];
  p->inputs = 2 * p->states;
}

/* n * n points, each joined to the next in both directions; steps. The right side, then the values
 * of the matrix; the weights; where the rows begin, then the columns. */
static void shape_conjugate(Problem *p) {
  int n = p->sizes[0];
  int values = 5 * n * n - 4 * n;
  p->inputs = n * n + values;
  p->numbers = n * n;
  p->integers = n * n + 1 + values;
}

/* Paths, steps; the price now, the interest rate, the volatility, the price agreed. */
static void shape_black_scholes(Problem *p) {
  p->inputs = 4;
  p->numbers = p->sizes[0] * p->sizes[1];
}

/* n * n * n atoms, cells along each edge of their cube. */
static void shape_lennard_jones(Problem *p) {
  p->inputs = 3 * p->sizes[0] * p->sizes[0] * p->sizes[0];
}

/* n * n * n elements, steps; the places of their corners, and their energies. */
static void shape_hydrodynamics(Problem *p) {
  int n = p->sizes[0];
  int nodes = (n + 1) * (n + 1) * (n + 1);
  p->states = p->inputs = 3 * nodes + n * n * n;
  p->integers = 8 * n * n * n + nodes;
}

/* Layers, steps, cells; the start and the sequence. */
static void shape_lstm(Problem *p) {
  int layers = p->sizes[0];
  p->inputs = (8 * layers + 3) * p->sizes[2];
  p->numbers = (2 * layers + p->sizes[1]) * p->sizes[2];
}

/* Cameras, points, observations, each with a weight and two coordinates. */
static void shape_bundle(Problem *p) {
  p->inputs = 11 * p->sizes[0] + 3 * p->sizes[1] + p->sizes[2];
  p->numbers = 2 * p->sizes[2];
}

static void fill_data(Problem *p, Random *random) {
  for (int i = 0; i < p->numbers; i++)
    p->data[i] = random_between(random, -1, 1);
  for (int i = 0; i < p->integers; i++)
    p->labels[i] = random_below(random, p->sizes[1]);
}

static void fill_waves(Problem *p, Random *random) {
  int n = p->sizes[0];
  fill_data(p, random);
  for (int i = 0; i < n / 2; i++) {
    p->data[2 * i] = cos(2 * M_PI * i / n);
    p->data[2 * i + 1] = sin(2 * M_PI * i / n);
  }
}

/* By Box and Muller (1958). */
static void fill_normals(Problem *p, Random *random) {
  for (int i = 0; i < p->numbers; i++) {
    double length = sqrt(-2 * log(random_between(random, 1e-9, 1)));
    p->data[i] = length * cos(2 * M_PI * random_between(random, 0, 1));
  }
}

/* Row i, after which stand `count` values: its neighbours and itself. */
static int fill_row(Problem *p, int i, int count) {
  int n = p->sizes[0];
  int neighbours[] = {i - n, i - 1, i, i + 1, i + n};
  int there[] = {i >= n, i % n > 0, 1, i % n < n - 1, i < n * (n - 1)};
  double *values = p->x + n * n;
  int *columns = p->labels + n * n + 1;
  for (int k = 0; k < 5; k++)
    if (there[k]) {
      columns[count] = neighbours[k];
      values[count++] = neighbours[k] == i ? 4.5 : -1 - 0.1 * cos(i + neighbours[k]);
    }
  return count;
}

/* Symmetric, with positive eigenvalues. */
static void fill_matrix(Problem *p, Random *random) {
  int n = p->sizes[0];
  for (int i = 0; i < p->numbers; i++)
    p->data[i] = random_between(random, -1, 1);
  for (int i = 0, count = 0; i < n * n; i++)
    p->labels[i + 1] = count = fill_row(p, i, count);
}

/* The inputs are how far the atoms are from where they stand here. */
static void fill_lattice(Problem *p, Random *random) {
  int n = p->sizes[0];
  (void)random;
  for (int i = 0; i < p->inputs / 3; i++) {
    p->x[3 * i] += 0.5 + i / (n * n);
    p->x[3 * i + 1] += 0.5 + i / n % n;
    p->x[3 * i + 2] += 0.5 + i % n;
  }
}

static int node_at(int n, int x, int y, int z) { return (x * (n + 1) + y) * (n + 1) + z; }

/* The corners of element e, which is one of a cube's. */
static void fill_corners(int n, int e, int *corners) {
  static const int step[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (int k = 0; k < 8; k++)
    corners[k] = node_at(n, e / (n * n) + step[k][0], e / n % n + step[k][1], e % n + step[k][2]);
}

/* The elements in any order; the gas is hot where a corner is that of the cube, at which three
 * sides stay in their planes. */
static void fill_mesh(Problem *p, Random *random) {
  int n = p->sizes[0];
  int elements = n * n * n;
  int *held = p->labels + 8 * elements;
  double *energy = p->x + 3 * node_at(n, n, n, n) + 3;
  for (int at = 0, x = 0; x <= n; x++)
    for (int y = 0; y <= n; y++)
      for (int z = 0; z <= n; z++, at++) {
        held[at] = (x == 0) | (y == 0) << 1 | (z == 0) << 2;
        p->x[3 * at] += x;
        p->x[3 * at + 1] += y;
        p->x[3 * at + 2] += z;
      }
  int *order = ints_new(elements);
  for (int i = 0; i < elements; i++) {
    int other = random_below(random, i + 1);
    order[i] = order[other];
    order[other] = i;
  }
  for (int i = 0; i < elements; i++) {
    fill_corners(n, order[i], p->labels + 8 * i);
    energy[i] += order[i] == 0 ? 100 : 1;
  }
  free(order);
}

const Case *cases(void) {
#define SIZED(...) {__VA_ARGS__}
#define NAMES(name)                                                                                \
  #name, {&name##_plain, &name##_restrict}, {&name##_plain_early, &name##_restrict_early}
#define KERNEL(name, sizes, small, low, high, fill)                                                \
  {NAMES(name), name##_hand, sizes, small, shape_##name, low, high, fill_##fill},
#define ALONE(name, sizes, small, low, high, fill)                                                 \
  {NAMES(name), NULL, sizes, small, shape_##name, low, high, fill_##fill},
  static const Case all[] = {
#include "kernels.def"
      {0},
  };
  return all;
}

Problem problem_new(const Case *which, int small) {
  Random random = random_start(1);
  Problem problem = {0};
  memcpy(problem.sizes, small ? which->small : which->sizes, sizeof(problem.sizes));
  which->shape(&problem);
  problem.x = doubles_new(problem.inputs);
  problem.data = doubles_new(problem.numbers);
  problem.labels = ints_new(problem.integers);
  problem.state = doubles_new(problem.states);
  problem.tangent = doubles_new(problem.states);
  for (int i = 0; i < problem.inputs; i++)
    problem.x[i] = random_between(&random, which->low, which->high);
  which->fill(&problem, &random);
  return problem;
}

void problem_free(Problem *problem) {
  free(problem->x);
  free(problem->data);
  free(problem->labels);
  free(problem->state);
  free(problem->tangent);
}

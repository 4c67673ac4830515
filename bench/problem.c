// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

#include "../examples/common/input.h"
#include "../examples/common/random.h"

#include <stdlib.h>
#include <string.h>

/* n * n cells, steps; the cells and their conductivities. */
static void shape_diffusion(Problem *p, int *data) {
  p->states = p->sizes[0] * p->sizes[0];
  p->inputs = 2 * p->states;
  *data = p->states;
}

/* n samples, classes, features; weights and biases. */
static void shape_logistic(Problem *p, int *data) {
  p->inputs = p->sizes[1] * (p->sizes[2] + 1);
  *data = p->sizes[0] * p->sizes[2];
}

/* n bodies; three coordinates and the mass. */
static void shape_nbody(Problem *p, int *data) {
  p->inputs = 4 * p->sizes[0];
  *data = 0;
}

/* m cells, steps; the state, six matrices, three vectors of biases. */
static void shape_recurrence(Problem *p, int *data) {
  int m = p->sizes[0];
  p->states = m;
  p->inputs = 4 * m + 6 * m * m;
  *data = m * p->sizes[1];
}

/* d dimensions, k components, n points; weights, means and factors. */
static void shape_gmm(Problem *p, int *data) {
  int d = p->sizes[0];
  p->inputs = p->sizes[1] * (1 + d + d * (d + 1) / 2);
  *data = d * p->sizes[2];
}

const Case *cases(void) {
  static const Case all[] = {
      {"diffusion",
       &diffusion_restrict,
       &diffusion_plain,
       diffusion_hand,
       {128, 40},
       {7, 3},
       shape_diffusion,
       0.5,
       1},
      {"logistic",
       &logistic_restrict,
       &logistic_plain,
       logistic_hand,
       {2000, 16, 64},
       {5, 3, 4},
       shape_logistic,
       -1,
       1},
      {"nbody", &nbody_restrict, &nbody_plain, nbody_hand, {500}, {7}, shape_nbody, 0, 1},
      {"recurrence",
       &recurrence_restrict,
       &recurrence_plain,
       recurrence_hand,
       {48, 200},
       {5, 4},
       shape_recurrence,
       -0.3,
       0.3},
      {"gmm", &gmm_restrict, &gmm_plain, gmm_hand, {20, 25, 1000}, {3, 4, 6}, shape_gmm, -1, 1},
      {0},
  };
  return all;
}

Problem problem_new(const Case *which, int small) {
  Random random = random_start(1);
  Problem problem = {0};
  int data = 0;
  memcpy(problem.sizes, small ? which->small : which->sizes, sizeof(problem.sizes));
  which->shape(&problem, &data);
  problem.x = doubles_new(problem.inputs);
  problem.data = doubles_new(data);
  problem.labels = ints_new(problem.sizes[0]);
  problem.state = doubles_new(problem.states);
  problem.tangent = doubles_new(problem.states);
  for (int i = 0; i < problem.inputs; i++)
    problem.x[i] = random_between(&random, which->low, which->high);
  for (int i = 0; i < data; i++)
    problem.data[i] = random_between(&random, -1, 1);
  for (int i = 0; i < problem.sizes[0] && problem.sizes[1] > 0; i++)
    problem.labels[i] = random_below(&random, problem.sizes[1]);
  return problem;
}

void problem_free(Problem *problem) {
  free(problem->x);
  free(problem->data);
  free(problem->labels);
  free(problem->state);
  free(problem->tangent);
}

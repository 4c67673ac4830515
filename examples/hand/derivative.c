// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The Jacobian by nabla: a column for each parameter of the pose, by forward mode. */
#include "hand.h"

typedef double Real;
#include "objective.h"

extern int enzyme_const, enzyme_dup, enzyme_dupnoneed;
void __enzyme_fwddiff(void *, ...);

void hand_value(const Hand *hand, double *residuals) {
  hand_residuals(&hand->model, hand->n, hand->vertices, hand->points, hand->pose, residuals);
}

/* The residuals themselves are not needed, so there is no memory for them. */
static void column(const Hand *hand, int parameter, double *out) {
  double direction[POSE] = {0};
  double *no_residuals = NULL;
  direction[parameter] = 1;
  __enzyme_fwddiff((void *)hand_residuals, enzyme_const, &hand->model, enzyme_const, hand->n,
                   enzyme_const, hand->vertices, enzyme_const, hand->points, enzyme_dup, hand->pose,
                   direction, enzyme_dupnoneed, no_residuals, out);
}

void hand_jacobian(const Hand *hand, double *jacobian) {
  for (int i = 0; i < POSE; i++)
    column(hand, i, jacobian + (long)hand->rows * i);
}

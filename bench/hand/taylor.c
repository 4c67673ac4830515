// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of kernels/taylor.c by hand: the powers of one less; the series is not needed. */
#include "../bench.h"

#include <math.h>

void taylor_hand(const Problem *problem, double *gradient) {
  int terms = problem->sizes[1];
  for (int i = 0; i < problem->inputs; i++) {
    double sum = 0;
    for (int k = 1; k <= terms; k++)
      sum += pow(problem->x[i], k - 1);
    gradient[i] = sum;
  }
}

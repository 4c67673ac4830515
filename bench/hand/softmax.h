// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The gradient of `seed` times log_sum_exp, in place of its terms. */
#ifndef BENCH_SOFTMAX_H
#define BENCH_SOFTMAX_H

#include <math.h>

static inline void softmax(int count, double seed, double *restrict x) {
  double largest = x[0];
  for (int i = 1; i < count; i++)
    if (x[i] > largest)
      largest = x[i];
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += x[i] = exp(x[i] - largest);
  double scale = seed / sum;
  for (int i = 0; i < count; i++)
    x[i] *= scale;
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* log(exp(x[0]) + ... + exp(x[count - 1])), where no exponential overflows. */
#ifndef BENCH_LOG_SUM_EXP_H
#define BENCH_LOG_SUM_EXP_H

#include "kernel.h"

#include <math.h>

static inline double log_sum_exp(int count, const double *RESTRICT x) {
  double largest = x[0];
  for (int i = 1; i < count; i++)
    if (x[i] > largest)
      largest = x[i];
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += exp(x[i] - largest);
  return largest + log(sum);
}

#endif

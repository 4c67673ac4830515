// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef BENCH_PRODUCT_H
#define BENCH_PRODUCT_H

#include "kernel.h"

/* out += matrix x, where the columns of the matrix stand one after another. */
static inline void add_product(int rows, int columns, const double *RESTRICT matrix,
                               const double *RESTRICT x, double *RESTRICT out) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      out[i] += matrix[j * rows + i] * x[j];
}

#endif

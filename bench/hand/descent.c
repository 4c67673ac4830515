// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The adjoint of kernels/descent.c by hand: a row goes back when its product is known. */
#include "../bench.h"

#include <string.h>

static double row_product(int columns, const double *restrict row, const double *restrict vector) {
  double sum = 0;
  for (int j = 0; j < columns; j++)
    sum += row[j] * vector[j];
  return sum;
}

static void row_back(int columns, double adjoint, const double *restrict row,
                     const double *restrict vector, double *restrict d_row,
                     double *restrict d_vector) {
  for (int j = 0; j < columns; j++) {
    d_row[j] = adjoint * vector[j];
    d_vector[j] += adjoint * row[j];
  }
}

void descent_hand(const Problem *problem, double *gradient) {
  int rows = problem->sizes[0];
  int columns = problem->sizes[1];
  const double *vector = problem->x + rows * columns;
  double *d_vector = gradient + rows * columns;
  memset(d_vector, 0, sizeof(double) * (size_t)columns);
  for (int i = 0; i < rows; i++) {
    const double *row = problem->x + i * columns;
    double adjoint = 2 * row_product(columns, row, vector);
    row_back(columns, adjoint, row, vector, gradient + i * columns, d_vector);
  }
}

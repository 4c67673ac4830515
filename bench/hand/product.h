// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Products of matrices and vectors and their adjoints; the columns stand one after another. */
#ifndef BENCH_HAND_PRODUCT_H
#define BENCH_HAND_PRODUCT_H

/* out += matrix x */
static inline void add_product(int rows, int columns, const double *restrict matrix,
                               const double *restrict x, double *restrict out) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      out[i] += matrix[j * rows + i] * x[j];
}

/* Adds the adjoints of add_product: to those of the matrix and of x. */
static inline void product_back(int rows, int columns, const double *restrict matrix,
                                const double *restrict x, const double *restrict adjoint,
                                double *restrict d_matrix, double *restrict d_x) {
#pragma clang fp reassociate(on)
  for (int j = 0; j < columns; j++) {
    double sum = 0;
    for (int i = 0; i < rows; i++) {
      d_matrix[j * rows + i] += adjoint[i] * x[j];
      sum += matrix[j * rows + i] * adjoint[i];
    }
    d_x[j] += sum;
  }
}

/* The same where x is not differentiated. */
static inline void matrix_back(int rows, int columns, const double *restrict x,
                               const double *restrict adjoint, double *restrict d_matrix) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      d_matrix[j * rows + i] += adjoint[i] * x[j];
}

#endif

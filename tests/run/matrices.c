// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fenable-matrix
// reals: double
/* clang's matrices: the reference has loops. */
#include "cases.h"

#ifdef __cplusplus
static void multiply(const real *a, const real *b, real *c) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      c[i + 2 * j] = 0;
      for (int k = 0; k < 3; k++)
        c[i + 2 * j] += a[i + 2 * k] * b[k + 3 * j];
    }
}
static void symmetric(const real *a, real *c) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      c[i + 2 * j] = a[i + 2 * j] + a[j + 2 * i] * 0.5;
}
#else
typedef real Wide __attribute__((matrix_type(2, 3)));
typedef real High __attribute__((matrix_type(3, 2)));
typedef real Square __attribute__((matrix_type(2, 2)));

NOINLINE static void multiply(const real *a, const real *b, real *c) {
  Wide left = __builtin_matrix_column_major_load((real *)a, 2, 3, 2);
  High right = __builtin_matrix_column_major_load((real *)b, 3, 2, 3);
  __builtin_matrix_column_major_store(left * right, c, 2);
}
static void symmetric(const real *a, real *c) {
  Square s = __builtin_matrix_column_major_load((real *)a, 2, 2, 2);
  s = s + __builtin_matrix_transpose(s) * 0.5;
  __builtin_matrix_column_major_store(s, c, 2);
}
#endif

MAP(matrix_product, 12, 4, 0.3, 1.2, -0.7, 0.1, 0.9, -0.4, 0.5, 0.8, -1.1, 0.2, 1.7, -0.6) {
  multiply(x, x + n / 2, y);
}

SUM(matrix_symmetric, 4, 0.3, 1.2, -0.7, 0.1) {
  real c[4], s = 0;
  symmetric(x, c);
  for (int i = 0; i < n; i++)
    s += c[i] * c[i] * (i + 1);
  return s;
}

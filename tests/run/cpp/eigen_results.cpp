// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Matrices as results: their tangents are matrices, with rows and columns. */
// header: eigen3/Eigen/Core
// reals: double
// differences: none
#include "cases.h"

#include <eigen3/Eigen/Dense>

using Matrix = Eigen::MatrixXd;

template <class Result, class... Arguments> Result __enzyme_fwddiff(void *, Arguments...);

static NOINLINE Matrix outer(const double *x, int n) {
  Matrix m(n, n + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= n; j++)
      m(i, j) = x[i] * x[j];
  return m;
}

CHECK(elements) {
  double x[3] = {1, 2, 3}, dx[3] = {1, 0, 0};
  Matrix d = __enzyme_fwddiff<Matrix>((void *)outer, enzyme_dup, x, dx, enzyme_const, 2);
  EXPECT(d.rows(), 2);
  EXPECT(d.cols(), 3);
  EXPECT(d(0, 2), 3);
  EXPECT(d(1, 2), 0);
}

static NOINLINE Matrix squared(const Matrix *a) { return *a * *a; }

CHECK(product) {
#ifdef __OPTIMIZE__ /* without types, matrices of the caller's are refused */
  Matrix a(2, 2), da(2, 2);
  a << 1, 2, 3, 4;
  da << 1, 0, 0, 0;
  Matrix d = __enzyme_fwddiff<Matrix>((void *)squared, enzyme_dup, &a, &da);
  EXPECT(d.rows(), 2);
  EXPECT(d.cols(), 2);
  EXPECT(d(0, 0), 2);
  EXPECT(d(0, 1), 2);
  EXPECT(d(1, 0), 3);
  EXPECT(d(1, 1), 0);
#endif
}

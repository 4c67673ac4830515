// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Eigen's decompositions, and what solves with them. */
// header: eigen3/Eigen/Core
// reals: double
// march: none
#define NB_AT_ONCE
#include "cases.h"

#include "cpp/eigen.hpp"

SUM(lu_full, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(5, 5);
  fill_regular(a, n, x);
  Vector b = right_side(5, n, x);
  Vector s = a.fullPivLu().solve(b);
  return s.sum() + s(2) * s(3);
}

/* In blocks, as matrices are multiplied. */
SUM(lu_partial, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(5, 5);
  fill_regular(a, n, x);
  Vector b = right_side(5, n, x);
  Vector s = a.partialPivLu().solve(b);
  return s.sum() + s(2) * s(3);
}

SUM(llt_dynamic, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(5, 5);
  fill_symmetric(a, n, x);
  Vector b = right_side(5, n, x);
  Eigen::LLT<Matrix> llt(a);
  Vector s = llt.solve(b);
  Matrix l = llt.matrixL();
  return s.sum() + s(2) * s(3) + log(l.diagonal().array()).sum();
}

SUM(ldlt_dynamic, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(5, 5);
  fill_symmetric(a, n, x);
  Vector b = right_side(5, n, x);
  Vector s = a.ldlt().solve(b);
  return s.sum() + s(2) * s(3);
}

SUM(qr_pivoting, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(5, 4);
  fill_regular(a, n, x);
  Vector b = right_side(5, n, x);
  Vector s = a.colPivHouseholderQr().solve(b);
  return s.sum() + s(2) * s(3);
}

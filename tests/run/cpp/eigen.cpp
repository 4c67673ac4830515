// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Eigen's matrices of fixed and of run-time size: products, norms, blocks, inverses,
 * triangular solves. */
// header: eigen3/Eigen/Core
// reals: double
// march: none
#define NB_AT_ONCE
#include "cases.h"

#include "cpp/eigen.hpp"

SUM(norms, 4, 1.0, 2.0, 3.0, 4.0) {
  Vector4 v(x[0] + 1, x[1] + 2, x[2] + 3, x[3] + 4);
  return v.norm() + v.normalized()(1) + v.lpNorm<1>() + v.template lpNorm<Eigen::Infinity>();
}

SUM(product_fixed, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix2 a;
  a << x[0], x[1], x[2], x[3];
  Matrix2 b = a * a.transpose() + a;
  Vector2 v(x[0], x[3]);
  return (b * v).sum() + a.determinant() + a.trace();
}

SUM(product_dynamic, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(n, n), b(n, n);
  fill_regular(a, n, x);
  b = a * a.transpose();
  Vector v = Eigen::Map<Vector>(x, n);
  return v.dot(b * v) + (a * b).sum();
}

SUM(product_big, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(17, 23), b(23, 19);
  fill_regular(a, n, x);
  fill_regular(b, n, x);
  Matrix c = a * b;
  return c.sum() * (real)0.01 + c(3, 4) * c(16, 18);
}

SUM(blocks, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a = Matrix::Identity(4, 4);
  a.block(1, 1, 2, 2) << x[0], x[1], x[2], x[3];
  a.row(0) = a.row(1) * x[0];
  a.col(3) += a.col(1);
  a.diagonal().array() += x[2];
  a.topRightCorner(2, 2) *= x[1];
  a.transposeInPlace();
  return (a * a).sum() + a.colwise().sum().squaredNorm() + a.rowwise().norm().maxCoeff();
}

SUM(inverse_fixed, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix2 a;
  Matrix3 b;
  Matrix4 c;
  fill_regular(a, n, x);
  fill_regular(b, n, x);
  fill_regular(c, n, x);
  return a.inverse().sum() + b.inverse()(1, 2) * x[0] + c.inverse().squaredNorm() +
         b.determinant() + c.determinant();
}

SUM(triangular, 4, 1.0, 2.0, 3.0, 4.0) {
  Matrix a(6, 6);
  fill_regular(a, n, x);
  Vector b(6);
  for (int i = 0; i < 6; i++)
    b(i) = x[i % n] * (real)i;
  Vector u = a.triangularView<Eigen::Lower>().solve(b);
  Vector w = a.triangularView<Eigen::Upper>().transpose().solve(u);
  a.triangularView<Eigen::UnitUpper>().solveInPlace(w);
  return w.sum() + u.squaredNorm();
}

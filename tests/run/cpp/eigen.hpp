// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Eigen's matrices of `real`, and what Eigen must know of dual numbers. Include after cases.h. */
#ifndef NB_RUN_CPP_EIGEN_HPP
#define NB_RUN_CPP_EIGEN_HPP

#include <eigen3/Eigen/Dense>

#ifndef NB_SUBJECT
static inline real abs(const real &a) { return fabs(a); }
static inline real abs2(const real &a) { return a * a; }
static inline bool(isfinite)(const real &a) { return std::isfinite(a.value); }

template <> struct Eigen::NumTraits<::real> : Eigen::NumTraits<NB_REAL> {
  using Real = ::real;
  using NonInteger = ::real;
  using Nested = ::real;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1 };
  enum { ReadCost = 2, AddCost = 4, MulCost = 8 };
};
#endif

using Matrix = Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<real, Eigen::Dynamic, 1>;
using Matrix2 = Eigen::Matrix<real, 2, 2>;
using Matrix3 = Eigen::Matrix<real, 3, 3>;
using Matrix4 = Eigen::Matrix<real, 4, 4>;
using Vector2 = Eigen::Matrix<real, 2, 1>;
using Vector3 = Eigen::Matrix<real, 3, 1>;
using Vector4 = Eigen::Matrix<real, 4, 1>;

/* A matrix made of n numbers, that is regular for small ones. */
template <class M> static inline void fill_regular(M &a, int n, const real *x) {
  for (int i = 0; i < a.rows(); i++)
    for (int j = 0; j < a.cols(); j++)
      a(i, j) = x[(i * a.cols() + j) % n] * (real)0.3 + (real)(i == j ? 4 : 1 / (1.0 + i + 2 * j));
}

/* What systems of equations are solved for, made of n numbers. */
static inline Vector right_side(int count, int n, const real *x) {
  Vector b(count);
  for (int i = 0; i < count; i++)
    b(i) = x[i % n] + (real)i;
  return b;
}

/* The same matrix, symmetric. */
template <class M> static inline void fill_symmetric(M &a, int n, const real *x) {
  for (int i = 0; i < a.rows(); i++)
    for (int j = 0; j < a.cols(); j++)
      a(i, j) = x[(i * j + i + j) % n] * (real)0.2 + (real)(i == j ? 6 : 0);
}

#endif

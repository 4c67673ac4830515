// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions of Eigen's arrays, element by element. Eigen computes exponentials and logarithms of
 * vectors itself, with integers. */
// header: eigen3/Eigen/Core
// march: none
#define NB_AT_ONCE
#include "cases.h"

#include "cpp/eigen.hpp"

using Array = Eigen::Array<real, Eigen::Dynamic, 1>;

static Array array_of(real *x, int n) { return Eigen::Map<Array>(x, n); }

SUM(softmax, 5, 0.6, -0.9, 1.1, 0.4, -0.7) {
  Array a = array_of(x, n);
  Array e = (a - a(2)).exp();
  Array p = e / e.sum();
  return p.square().sum() - log(p(1));
}

SUM(entropy, 5, 0.6, -0.9, 1.1, 0.4, -0.7) {
  Array m = (array_of(x, n).exp() + (real)1).inverse();
  return -(m.log() * (real)0.3 + ((real)1 - m).log() * (real)0.7).sum();
}

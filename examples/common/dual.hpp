// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Dual numbers: a value together with its derivative in LANES directions. Code that computes with
 * them instead of doubles computes its own derivatives, exactly up to rounding and without any
 * help from the compiler. The examples use them as the reference that nabla is held against.
 */
#ifndef EXAMPLES_DUAL_HPP
#define EXAMPLES_DUAL_HPP

#include "check.h"

#include <cmath>

struct Dual {
  double value;
  double tangent[LANES];

  Dual() = default;
  Dual(double constant) : value(constant), tangent{} {}
};

/* A function of x with the given value, and the derivative `a` there. */
inline Dual chain(double value, double a, const Dual &x) {
  Dual result = value;
  for (int lane = 0; lane < LANES; lane++)
    result.tangent[lane] = a * x.tangent[lane];
  return result;
}

/* A function of x and y with the given value, and the partial derivatives `a` and `b` there. */
inline Dual chain(double value, double a, const Dual &x, double b, const Dual &y) {
  Dual result = value;
  for (int lane = 0; lane < LANES; lane++)
    result.tangent[lane] = a * x.tangent[lane] + b * y.tangent[lane];
  return result;
}

inline Dual operator+(const Dual &x, const Dual &y) { return chain(x.value + y.value, 1, x, 1, y); }
inline Dual operator-(const Dual &x, const Dual &y) {
  return chain(x.value - y.value, 1, x, -1, y);
}
inline Dual operator*(const Dual &x, const Dual &y) {
  return chain(x.value * y.value, y.value, x, x.value, y);
}
inline Dual operator/(const Dual &x, const Dual &y) {
  double quotient = x.value / y.value;
  return chain(quotient, 1 / y.value, x, -quotient / y.value, y);
}

inline Dual operator-(const Dual &x) { return chain(-x.value, -1, x); }

inline Dual &operator+=(Dual &x, const Dual &y) { return x = x + y; }
inline bool operator>(const Dual &x, const Dual &y) { return x.value > y.value; }

inline Dual exp(const Dual &x) { return chain(std::exp(x.value), std::exp(x.value), x); }
inline Dual log(const Dual &x) { return chain(std::log(x.value), 1 / x.value, x); }
inline Dual sin(const Dual &x) { return chain(std::sin(x.value), std::cos(x.value), x); }
inline Dual cos(const Dual &x) { return chain(std::cos(x.value), -std::sin(x.value), x); }
inline Dual tanh(const Dual &x) {
  double value = std::tanh(x.value);
  return chain(value, 1 - value * value, x);
}
inline Dual sqrt(const Dual &x) {
  double root = std::sqrt(x.value);
  return chain(root, 0.5 / root, x);
}

/* Parameter `at` of `size`, moving in LANES directions, which stand one after another. */
inline Dual lift(const double *parameters, const double *directions, int size, int at) {
  Dual result = parameters[at];
  for (int lane = 0; lane < LANES; lane++)
    result.tangent[lane] = directions[lane * size + at];
  return result;
}

#endif

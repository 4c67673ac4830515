// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The objective of the Gaussian mixture in examples/gmm, to the third order, in every mixture of
 * modes: what a case computes is itself a derivative, which the checks differentiate forward and in
 * reverse. The reference nests dual numbers. */
// reals: double
// differences: none
#define NB_AT_ONCE
#include "cases.h"

enum { D = 2, K = 2, N = 5, FACTORS = K + K * D, SIZE = FACTORS + K * D * (D + 1) / 2 };

static const double points[N * D] = {0.3, -1.2, 1.7, 0.4, -0.9, 0.8, 0.1, 1.4, -1.6, -0.7};
static const double direction[SIZE] = {1, -0.5, 0.25, 2, -1, 0.75, 0.5, -2, 1, 0.3, -0.6, 1.5};

#ifdef __cplusplus

template<class T> struct Jet {
  T value, tangent;

  Jet() = default;
  Jet(double v) : value(v), tangent(0) {}
  Jet(T v, T t) : value(v), tangent(t) {}
  Jet &operator += (const Jet &o) { return *this = *this + o; }
  friend Jet operator + (const Jet &a, const Jet &b) {
    return Jet(a.value + b.value, a.tangent + b.tangent);
  }
  friend Jet operator - (const Jet &a, const Jet &b) {
    return Jet(a.value - b.value, a.tangent - b.tangent);
  }
  friend Jet operator *(const Jet &a, const Jet &b) {
    return Jet(a.value * b.value, a.value * b.tangent + a.tangent * b.value);
  }
  friend bool operator > (const Jet &a, const Jet &b) { return a.value > b.value; }
  friend Jet exp(const Jet &a) { return Jet(exp(a.value), exp(a.value) * a.tangent); }
  friend Jet log(const Jet &a) { return Jet(log(a.value), a.tangent * exp(T(0) - log(a.value))); }
};

namespace once {
  typedef Jet<real> Real;
#include "../../examples/gmm/objective.h"
} // namespace once

namespace twice {
  typedef Jet<Jet<real>> Real;
#include "../../examples/gmm/objective.h"
} // namespace twice

static void gradient(const real *x, real *g) {
  for (int i = 0; i < SIZE; i++) {
    Jet<real> p[SIZE];
    for (int k = 0; k < SIZE; k++)
      p[k] = Jet<real>(x[k], real(k == i));
    g[i] += once::gmm_objective(D, K, N, p, p + K, p + FACTORS, points, 1.5, 1).tangent;
  }
}

static real curvature(const real *x) {
  Jet<Jet<real>> p[SIZE];
  for (int k = 0; k < SIZE; k++)
    p[k] = Jet<Jet<real>>(Jet<real>(x[k], direction[k]), Jet<real>(direction[k]));
  return twice::gmm_objective(D, K, N, p, p + K, p + FACTORS, points, 1.5, 1).tangent.tangent;
}

#define GRADIENT(mode) gradient
#define CURVATURE(mode) curvature

#else

typedef double Real;
#include "../../examples/gmm/objective.h"

#define GRADIENT(mode) mode
#define CURVATURE(mode) mode

extern void __enzyme_autodiff_objective(void *, ...);
extern double __enzyme_fwddiff_objective(void *, ...);
extern void __enzyme_autodiff_again(void *, ...);
extern double __enzyme_fwddiff_again(void *, ...);
extern void __enzyme_fwddiff_gradient(void *, ...);

static double objective(const double *x) {
  return gmm_objective(D, K, N, x, x + K, x + FACTORS, points, 1.5, 1);
}

static void reverse(const double *x, double *g) {
  __enzyme_autodiff_objective((void *)gmm_objective, enzyme_const, D, enzyme_const, K, enzyme_const,
                              N, enzyme_dup, x, g, enzyme_dup, x + K, g + K, enzyme_dup,
                              x + FACTORS, g + FACTORS, enzyme_const, points, enzyme_const, 1.5,
                              enzyme_const, 1);
}

static double slope(const double *x, const double *v) {
  return __enzyme_fwddiff_objective((void *)objective, x, v);
}

static void forward(const double *x, double *g) {
  for (int i = 0; i < SIZE; i++) {
    double unit[SIZE] = {0};
    unit[i] = 1;
    g[i] += slope(x, unit);
  }
}

static double along(const double *g) {
  double sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += g[i] * direction[i];
  return sum;
}

static double directed(const double *x) { return slope(x, direction); }

static double slope_by_reverse(const double *x) {
  double g[SIZE] = {0};
  reverse(x, g);
  return along(g);
}

static double forward_of_forward(const double *x) {
  return __enzyme_fwddiff_again((void *)directed, x, direction);
}

static double forward_of_reverse(const double *x) {
  double g[SIZE] = {0}, h[SIZE] = {0};
  __enzyme_fwddiff_gradient((void *)reverse, x, direction, g, h);
  return along(h);
}

static double reverse_of_forward(const double *x) {
  double h[SIZE] = {0};
  __enzyme_autodiff_again((void *)directed, x, h);
  return along(h);
}

static double reverse_of_reverse(const double *x) {
  double h[SIZE] = {0};
  __enzyme_autodiff_again((void *)slope_by_reverse, x, h);
  return along(h);
}

#endif

#define PARAMETERS -0.3, 0.4, 0.6, -0.8, -0.5, 0.2, 0.1, -0.2, 0.7, 0.3, -0.1, -0.9

MAP(hessian_of_reverse, SIZE, SIZE, PARAMETERS) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  GRADIENT(reverse)(x, y);
}
MAP(hessian_of_forward, SIZE, SIZE, PARAMETERS) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  GRADIENT(forward)(x, y);
}

SUM(third_of_forward_of_forward, SIZE, PARAMETERS) { return CURVATURE(forward_of_forward)(x); }
SUM(third_of_forward_of_reverse, SIZE, PARAMETERS) { return CURVATURE(forward_of_reverse)(x); }
SUM(third_of_reverse_of_forward, SIZE, PARAMETERS) { return CURVATURE(reverse_of_forward)(x); }
SUM(third_of_reverse_of_reverse, SIZE, PARAMETERS) { return CURVATURE(reverse_of_reverse)(x); }

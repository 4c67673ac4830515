// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the third order, in every mixture of modes, of numbers and of memory. */
// reals: double
// differences: none
#include "cases.h"

extern double __enzyme_fwddiff_inner(void *, ...);
extern double __enzyme_autodiff_inner(void *, ...);
extern double __enzyme_fwddiff_middle(void *, ...);
extern double __enzyme_autodiff_middle(void *, ...);
extern double __enzyme_fwddiff_outer(void *, ...);
extern double __enzyme_autodiff_outer(void *, ...);
extern void __enzyme_autodiff_gradient(void *, ...);
extern void __enzyme_fwddiff_gradient(void *, ...);

static double f(double x) { return sin(x) * exp(x) + x * x * x * x; }
static double third(double x) { return 2 * exp(x) * (cos(x) - sin(x)) + 24 * x; }

static double forward1(double x) { return __enzyme_fwddiff_inner((void *)f, x, 1.0); }
static double reverse1(double x) { return __enzyme_autodiff_inner((void *)f, x); }
static double forward_forward(double x) {
  return __enzyme_fwddiff_middle((void *)forward1, x, 1.0);
}
static double forward_reverse(double x) {
  return __enzyme_fwddiff_middle((void *)reverse1, x, 1.0);
}
static double reverse_forward(double x) { return __enzyme_autodiff_middle((void *)forward1, x); }
static double reverse_reverse(double x) { return __enzyme_autodiff_middle((void *)reverse1, x); }

CHECK(of_numbers) {
  double x = 0.7, t = third(x);
  EXPECT(__enzyme_fwddiff_outer((void *)forward_forward, x, 1.0), t);
  EXPECT(__enzyme_fwddiff_outer((void *)forward_reverse, x, 1.0), t);
  EXPECT(__enzyme_fwddiff_outer((void *)reverse_forward, x, 1.0), t);
  EXPECT(__enzyme_fwddiff_outer((void *)reverse_reverse, x, 1.0), t);
  EXPECT(__enzyme_autodiff_outer((void *)forward_forward, x), t);
  EXPECT(__enzyme_autodiff_outer((void *)forward_reverse, x), t);
  EXPECT(__enzyme_autodiff_outer((void *)reverse_forward, x), t);
  EXPECT(__enzyme_autodiff_outer((void *)reverse_reverse, x), t);
}

/* s(x) = sum of x_i^2 x_{i+1}, around: its third derivatives are constants. */
static double ring(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[(i + 1) % n] * exp(x[0]);
  return s;
}
static void gradient(const double *x, double *g, int n) {
  for (int i = 0; i < n; i++)
    g[i] = 0;
  __enzyme_autodiff_gradient((void *)ring, enzyme_dup, x, g, enzyme_const, n);
}
static double curvature(const double *x, const double *v, int n) {
  double g[4], hv[4], s = 0;
  __enzyme_fwddiff_gradient((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, hv, enzyme_const, n);
  for (int i = 0; i < n; i++)
    s += v[i] * hv[i];
  return s;
}

/* v'Hv by differences of the gradient's, and its own gradient, against directions of it. */
CHECK(of_memory) {
  double x[4] = {0.1, 0.2, -0.3, 0.4}, v[4] = {1, -0.5, 0.25, 2}, w[4] = {0.3, 0.7, -1, 0.2};
  double third_by_reverse[4] = {0};
  __enzyme_autodiff_gradient((void *)curvature, enzyme_dup, x, third_by_reverse, enzyme_const, v,
                             enzyme_const, 4);
  double along =
      __enzyme_fwddiff_outer((void *)curvature, enzyme_dup, x, w, enzyme_const, v, enzyme_const, 4);
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += third_by_reverse[i] * w[i];
  EXPECT(along, sum);
  double above[4], below[4], h = 1e-4;
  for (int i = 0; i < 4; i++) {
    above[i] = x[i] + h * w[i];
    below[i] = x[i] - h * w[i];
  }
  double slope = (curvature(above, v, 4) - curvature(below, v, 4)) / (2 * h);
  EXPECT(fabs(slope - along) < 1e-6 * fabs(along) + 1e-6, 1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Brent's method, then Newton's: the number of each root and its tangent are packed to a pair, of
 * which the loops need the first lane alone. With few vector registers LLVM spilled the pair as its
 * first lane, and the slope of the product came out as that of one factor. */
// RUN: %clang -O3 %s -o %t.3 -lm && %t.3
// RUN: %clang -O2 %s -o %t.2 -lm && %t.2
#include <math.h>

double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_runtime_activity;

typedef struct {
  const double *p;
  double (*equation)(double, const double *);
  int calls;
} Context;

static double cubic(double t, const double *p) {
  return ((p[0] * t + p[1]) * t - p[2]) * t - p[3];
}

static double evaluate(double t, void *user) {
  Context *context = user;
  context->calls++;
  return context->equation(t, context->p);
}

static int brent(double (*f)(double, void *), void *user, double a, double b, double tolerance,
                 double *root) {
  double fa = f(a, user), fb = f(b, user), c = a, fc = fa, d = b - a, e = d;
  if (fa * fb > 0)
    return -1;
  for (int i = 0; i < 100; i++) {
    if ((fb > 0) == (fc > 0)) {
      c = a;
      fc = fa;
      d = e = b - a;
    }
    if (fabs(fc) < fabs(fb)) {
      a = b;
      b = c;
      c = a;
      fa = fb;
      fb = fc;
      fc = fa;
    }
    double m = .5 * (c - b);
    if (fabs(m) <= tolerance || fb == 0)
      break;
    if (fabs(e) < tolerance || fabs(fa) <= fabs(fb)) {
      d = e = m;
    } else {
      double s = fb / fa, p, q;
      if (a == c) {
        p = 2 * m * s;
        q = 1 - s;
      } else {
        double v = fa / fc, r = fb / fc;
        p = s * (2 * m * v * (v - r) - (b - a) * (r - 1));
        q = (v - 1) * (r - 1) * (s - 1);
      }
      if (p > 0)
        q = -q;
      else
        p = -p;
      if (2 * p < fmin(3 * m * q - fabs(tolerance * q), fabs(e * q))) {
        e = d;
        d = p / q;
      } else {
        d = e = m;
      }
    }
    a = b;
    fa = fb;
    b += fabs(d) > tolerance ? d : copysign(tolerance, m);
    fb = f(b, user);
  }
  *root = b;
  return 0;
}

static double newton(Context *context, double t) {
  for (int i = 0; i < 8; i++) {
    double h = 1e-3, f = evaluate(t, context);
    double slope = (evaluate(t + h, context) - evaluate(t - h, context)) / (2 * h);
    double step = f / slope;
    if (fabs(step) > .5)
      step = copysign(.5, step);
    t -= step;
  }
  return t;
}

static double product(const double *x, double *y) {
  Context context = {x, cubic, 0};
  double root;
  if (brent(evaluate, &context, 0, 3, 1e-3, &root)) {
    y[0] = 0;
    return -1;
  }
  y[0] = root;
  y[1] = newton(&context, 1.5);
  y[2] = 0;
  return y[0] * y[1];
}

int main(void) {
  double x[4] = {1.3, .7, 2.1, .4}, y[3] = {0}, dy[3] = {0}, v[4] = {1, 1, 1, 1};
  double slope = __enzyme_fwddiff((void *)product, enzyme_runtime_activity, enzyme_dup, x, v,
                                  enzyme_dup, y, dy);
  return fabs(slope - (dy[0] * y[1] + y[0] * dy[1])) > 1e-9;
}

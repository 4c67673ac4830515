// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Second derivatives where the adjoints and tangents that they are derivatives of are zero: at the
 * rest length of a spring, at a root. A product that is guarded against 0 * inf is a product there,
 * too; where it stands on a way that was not taken, it is nothing. */
// reals: double
// differences: none
#include "cases.h"

enum { N = 2 };

static NOINLINE double root(double x) { return sqrt(x); }
static NOINLINE double power(double x) { return pow(x, 0.5); }

static double spring(const double *x) {
  double stretched = root(x[0] * x[0] + x[1] * x[1]) - 5;
  return stretched * stretched / 2;
}
static double spring_by_power(const double *x) {
  double stretched = power(x[0] * x[0] + x[1] * x[1]) - 5;
  return stretched * stretched / 2;
}
static double spring_behind_test(const double *x) {
  double length = sqrt(x[0] * x[0] + x[1] * x[1]), energy = 0;
  if (length > 1e-9)
    energy = (length - 5) * (length - 5) / 2;
  return energy;
}
/* Constants around the root are folded into what guards it. */
static NOINLINE double half_root(double x) { return sqrt(4 * x) / -2; }
static double spring_with_factor(const double *x) {
  double stretched = half_root(x[0] * x[0] + x[1] * x[1]) + 5;
  return stretched * stretched / 2;
}
static NOINLINE double root_of_rest(double x) { return sqrt(50 - (x + x) / 2); }
static double spring_with_rest(const double *x) {
  double stretched = root_of_rest(x[0] * x[0] + x[1] * x[1]) - 5;
  return stretched * stretched / 2;
}
static double bend(const double *x) { return root(1 + (x[0] - 3) * (x[0] - 3)) * x[1] / 4; }
static double product(const double *x) { return (exp(x[0] - 3) - 1) * (x[1] - 4); }

/* On ways that are not taken, slopes are infinite: there is no such thing with -ffast-math. */
#ifdef __FAST_MATH__
static double idle(const double *x) { return (x[0] - 3) * x[1] + (x[0] - 3) * (x[0] - 3); }
#else
static double idle(const double *x) {
  double distance = x[0] - 3, far = sqrt(distance * distance), steep = pow(distance, 1.5);
  return (far > 1 ? far * far * far : distance * x[1]) +
         (distance > 1 ? steep : distance * distance);
}
#endif

extern int enzyme_strong_zero;
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff(void *, ...);

typedef struct Mixtures {
  void (*forward_of_reverse)(double *x, double *t, double *g, double *h);
  void (*reverse_of_reverse)(double *x, double *r, double *g, double *seed);
  void (*reverse_of_forward)(double *x, double *s, double *t, double *seed);
  void (*forward_of_forward)(double *x, double *u, double *t, double *d);
} Mixtures;

/* Against the second derivatives {a, b; b, c} at {3, 4}. */
static void compare(const Mixtures *of, double a, double b, double c) {
  const double right[N][N] = {{a, b}, {b, c}};
  for (int i = 0; i < N; i++) {
    double x[N] = {3, 4}, t[N] = {i == 0, i == 1}, g[N] = {0}, one = 1;
    double h[N] = {0}, r[N] = {0}, s[N] = {0}, seed[N] = {i == 0, i == 1};
    of->forward_of_reverse(x, t, g, h);
    of->reverse_of_reverse(x, r, g, seed);
    of->reverse_of_forward(x, s, t, &one);
    for (int k = 0; k < N; k++) {
      double u[N] = {k == 0, k == 1}, d = 0;
      of->forward_of_forward(x, u, t, &d);
      EXPECT(h[k], right[i][k]);
      EXPECT(r[k], right[i][k]);
      EXPECT(s[k], right[i][k]);
      EXPECT(d, right[i][k]);
    }
  }
}

#define CURVED(name, marker)                                                                       \
  static void name##_##marker##_gradient(double *x, double *g) {                                   \
    g[0] = g[1] = 0;                                                                               \
    __enzyme_autodiff((void *)name, marker##_MARKER enzyme_dup, x, g);                             \
  }                                                                                                \
  static void name##_##marker##_slope(double *x, double *t, double *y) {                           \
    *y = __enzyme_fwddiff((void *)name, marker##_MARKER enzyme_dup, x, t);                         \
  }                                                                                                \
  static void name##_##marker##_fr(double *x, double *t, double *g, double *h) {                   \
    __enzyme_fwddiff((void *)name##_##marker##_gradient, enzyme_dup, x, t, enzyme_dup, g, h);      \
  }                                                                                                \
  static void name##_##marker##_rr(double *x, double *r, double *g, double *seed) {                \
    __enzyme_autodiff((void *)name##_##marker##_gradient, enzyme_dup, x, r, enzyme_dup, g, seed);  \
  }                                                                                                \
  static void name##_##marker##_rf(double *x, double *s, double *t, double *seed) {                \
    double y;                                                                                      \
    __enzyme_autodiff((void *)name##_##marker##_slope, enzyme_dup, x, s, enzyme_const, t,          \
                      enzyme_dup, &y, seed);                                                       \
  }                                                                                                \
  static void name##_##marker##_ff(double *x, double *u, double *t, double *d) {                   \
    double y, none[N] = {0};                                                                       \
    __enzyme_fwddiff((void *)name##_##marker##_slope, enzyme_dup, x, u, enzyme_dup, t, none,       \
                     enzyme_dup, &y, d);                                                           \
  }                                                                                                \
  static const Mixtures name##_##marker##_twice = {name##_##marker##_fr, name##_##marker##_rr,     \
                                                   name##_##marker##_rf, name##_##marker##_ff};
#define plain_MARKER
#define strong_MARKER enzyme_strong_zero,

CURVED(spring, plain)
CHECK(spring_plain) { compare(&spring_plain_twice, 0.36, 0.48, 0.64); }
CURVED(spring, strong)
CHECK(spring_strong) { compare(&spring_strong_twice, 0.36, 0.48, 0.64); }
CURVED(spring_by_power, plain)
CHECK(spring_by_power_plain) { compare(&spring_by_power_plain_twice, 0.36, 0.48, 0.64); }
CURVED(spring_behind_test, plain)
CHECK(spring_behind_test_plain) { compare(&spring_behind_test_plain_twice, 0.36, 0.48, 0.64); }
CURVED(spring_with_factor, plain)
CHECK(spring_with_factor_plain) { compare(&spring_with_factor_plain_twice, 0.36, 0.48, 0.64); }
CURVED(spring_with_factor, strong)
CHECK(spring_with_factor_strong) { compare(&spring_with_factor_strong_twice, 0.36, 0.48, 0.64); }
CURVED(spring_with_rest, plain)
CHECK(spring_with_rest_plain) { compare(&spring_with_rest_plain_twice, 0.36, 0.48, 0.64); }
CURVED(bend, plain)
CHECK(bend_plain) { compare(&bend_plain_twice, 1, 0, 0); }
CURVED(bend, strong)
CHECK(bend_strong) { compare(&bend_strong_twice, 1, 0, 0); }
CURVED(product, plain)
CHECK(product_plain) { compare(&product_plain_twice, 0, 1, 0); }
CURVED(product, strong)
CHECK(product_strong) { compare(&product_strong_twice, 0, 1, 0); }
CURVED(idle, plain)
CHECK(idle_plain) { compare(&idle_plain_twice, 2, 1, 0); }
CURVED(idle, strong)
CHECK(idle_strong) { compare(&idle_strong_twice, 2, 1, 0); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that look at numbers only, with derivatives of the user's that change the shadows. */
// shows: __enzyme_register_gradient; __enzyme_register_derivative
// reals: double
// differences: none
#include "cases.h"

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double seen;

static void twice(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}

static void same(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = x[i];
}

#define HOOK(name, body)                                                                           \
  static void name(double *x, int n) { body; }                                                     \
  static void name##_augmented(double *x, double *dx, int n) { name(x, n); }                       \
  static void name##_reverse(double *x, double *dx, int n) { twice(dx, n); }                       \
  static void name##_forward(double *x, double *dx, int n) {                                       \
    name(x, n);                                                                                    \
    twice(dx, n);                                                                                  \
  }                                                                                                \
  void *__enzyme_register_gradient_##name[] = {(void *)name, (void *)name##_augmented,             \
                                               (void *)name##_reverse};                            \
  void *__enzyme_register_derivative_##name[] = {(void *)name, (void *)name##_forward};

HOOK(watch, seen = x[0])
HOOK(nothing, (void)x)
HOOK(keeps, same(x, n))

static double after_watch(double x) {
  double a[2] = {x * x, x};
  watch(a, 2);
  return a[0] * a[1];
}

static double after_nothing(double x) {
  double a[2] = {x * x, x};
  nothing(a, 2);
  return a[0] * a[1];
}

static double after_keeps(double x) {
  double a[2] = {x * x, x};
  keeps(a, 2);
  return a[0] * a[1];
}

#define BOTH(name)                                                                                 \
  CHECK(of_##name) {                                                                               \
    EXPECT(__enzyme_autodiff((void *)after_##name, 3.0), 2 * 3 * 9);                               \
    EXPECT(__enzyme_fwddiff((void *)after_##name, 3.0, 1.0), 2 * 3 * 9);                           \
  }

BOTH(watch)
BOTH(nothing)
BOTH(keeps)

CHECK(still_runs) {
  seen = 0;
  __enzyme_autodiff((void *)after_watch, 2.0);
  EXPECT(seen, 4);
}

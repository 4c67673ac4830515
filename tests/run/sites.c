// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls that say something about one place: ignored derivatives, inactive calls, hints. */
// reals: double
// differences: none
#include "cases.h"

extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_ignore_derivatives(double);
extern float __enzyme_ignore_derivatives_float(float);
extern double __enzyme_call_inactive(void *, ...);
extern void __enzyme_call_inactive_void(void *, ...);
extern long __enzyme_iter(long, long);
extern void __enzyme_double(void *, long);
extern void *__enzyme_pointer(void *);

static double partly(double x) {
  return __enzyme_ignore_derivatives(x * x) * x + __enzyme_ignore_derivatives_float((float)x);
}
static double square(double x) { return x * x; }
static int calls;
NOINLINE static void note(double x, const double *p) { calls += x > 0 && *p > 0; }
static double inactive_once(double x) {
  __enzyme_call_inactive_void((void *)note, x, &x);
  return __enzyme_call_inactive((void *)square, x) * square(x);
}
static double hinted(double *x, long n) {
  __enzyme_double(x, 8);
  double *p = (double *)__enzyme_pointer(x);
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += p[__enzyme_iter(i, n)] * p[i];
  return sum;
}

CHECK(ignored) {
  EXPECT(partly(3), 30);
  EXPECT(__enzyme_autodiff((void *)partly, 3.0), 9);
  EXPECT(__enzyme_fwddiff((void *)partly, 3.0, 1.0), 9);
}

CHECK(inactive_at_one_place) {
  calls = 0;
  EXPECT(__enzyme_autodiff((void *)inactive_once, 3.0), 9 * 6);
  EXPECT(calls, 1);
  EXPECT(__enzyme_fwddiff((void *)inactive_once, 3.0, 1.0), 9 * 6);
  EXPECT(inactive_once(2), 16);
}

CHECK(hints) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  __enzyme_autodiff_void((void *)hinted, x, dx, enzyme_const, 3L);
  EXPECT(dx[2], 6);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bounds of rounding errors: what each operation adds, and how operations pass it on. */
// shows: __enzyme_error_estimate
// reals: double
// differences: none
#include "cases.h"

extern double __enzyme_error_estimate(void *, ...);
extern void __enzyme_error_estimate_void(void *, ...);
extern struct PrimalAndError {
  double primal, error;
} __enzyme_error_estimate_both(void *, ...);

static double unit(double x) { return fabs(nextafter(x, 2 * x) - x); }
static int near(double found, double expected) { return fabs(found / expected - 1) < 1e-6; }

static double add(double a, double b) { return a + b; }
static void add_in_memory(const double *a, const double *b, double *r) { *r = *a + *b; }

CHECK(one_operation) {
  EXPECT(near(__enzyme_error_estimate((void *)add, 99.0, 0.0, 127.0, 0.0), 0x1p-45), 1);
  EXPECT(near(__enzyme_error_estimate((void *)add, 99.0, 0.5, 127.0, 0.25), 0.75), 1);
  double a = 99, ea = 0, b = 127, eb = 0, r = 0, er = 0;
  __enzyme_error_estimate_void((void *)add_in_memory, &a, &ea, &b, &eb, &r, &er);
  EXPECT(near(er, 0x1p-45), 1);
}

static double difference(double a, double b) { return a - b; }

/* Errors add up where the values cancel. */
CHECK(cancellation) {
  EXPECT(near(__enzyme_error_estimate((void *)difference, 1.0, 1e-10, 1.0, 3e-10), 4e-10), 1);
}

static double square_root(double x) { return sqrt(x); }
static double quotient(double x, double y) { return x / y; }
static double opposite(double x) { return -x; }
static double copy_of(const double *x) {
  double local[2];
  memcpy(local, x, sizeof local);
  return local[1];
}

CHECK(coefficients) {
  EXPECT(near(__enzyme_error_estimate((void *)square_root, 4.0, 1e-6), 2.5e-7), 1);
  EXPECT(near(__enzyme_error_estimate((void *)quotient, 1.0, 1e-6, -2.0, 1e-6), 7.5e-7), 1);
  EXPECT(__enzyme_error_estimate((void *)opposite, 4.0, 1e-6), 1e-6);
  EXPECT(near(__enzyme_error_estimate((void *)square_root, 0.0, 0.0), 0x1p-1074) ||
             __enzyme_error_estimate((void *)square_root, 0.0, 0.0) == 0,
         1);
  double x[2] = {1, 2}, e[2] = {0.5, 0.25};
  EXPECT(__enzyme_error_estimate((void *)copy_of, x, e), 0.25);
}

NOINLINE static double step(double s, double x) { return s + x; }
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s = step(s, x[i]);
  return s;
}

/* What the sum of numbers that cannot be represented loses is bounded, and not by much. */
CHECK(sums) {
  enum { N = 1000 };
  static double x[N], e[N];
  long double exact = 0;
  for (int i = 0; i < N; i++) {
    x[i] = 0.1 * (i + 1);
    exact += x[i];
  }
  struct PrimalAndError r =
      __enzyme_error_estimate_both((void *)sum, enzyme_primal_return, x, e, N);
  double lost = (double)fabsl(r.primal - exact);
  EXPECT(lost <= r.error, 1);
  EXPECT(r.error <= N * unit(r.primal), 1);
  EXPECT(r.error >= unit(r.primal) * N / 8, 1);
}

static double narrowed(double x) { return (float)x; }

CHECK(formats) { EXPECT(near(__enzyme_error_estimate((void *)narrowed, 1.25, 0.0), 0x1p-23), 1); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bounds of rounding errors, as parts of the values: what each operation adds, and how operations
 * pass it on. */
// shows: __enzyme_error_estimate
// reals: double
// differences: none
#define _GNU_SOURCE
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
  EXPECT(near(__enzyme_error_estimate((void *)add, 99.0, 0.0, 127.0, 0.0), 0x1p-45 / 226), 1);
  EXPECT(near(__enzyme_error_estimate((void *)add, 99.0, 0.5, 127.0, 0.25),
              (0.5 * 99 + 0.25 * 127) / 226),
         1);
  double a = 99, ea = 0, b = 127, eb = 0, r = 0, er = 0;
  __enzyme_error_estimate_void((void *)add_in_memory, &a, &ea, &b, &eb, &r, &er);
  EXPECT(near(er, 0x1p-45 / 226), 1);
}

static double difference(double a, double b) { return a - b; }

/* Errors add up where the values cancel; of nothing there are no parts. */
CHECK(cancellation) {
  EXPECT(near(__enzyme_error_estimate((void *)difference, 1.0, 1e-10, 1.0, 3e-10), 4e-10), 1);
  EXPECT(near(__enzyme_error_estimate((void *)difference, 1.5, 1e-10, 1.0, 3e-10), 9e-10), 1);
}

/* A rounding error of cos(x), 1.1e-16, is a 45th of 1 - cos(x). */
static double loses(double x) {
  double v1 = cos(x);
  double v2 = 1 - v1;
  double v3 = x * x;
  return v2 / v3;
}
static void loses_in_memory(const double *x, double *v) {
  v[0] = cos(*x);
  v[1] = 1 - v[0];
  v[2] = *x * *x;
  v[3] = v[1] / v[2];
}

CHECK(a_loss_of_digits) {
  double first = __enzyme_error_estimate((void *)loses, 1e-7, 0.0);
  EXPECT(fabs(first - 2.2222222222e-2) < 1e-4, 1);
  double x = 1e-7, ex = 0, v[4], ev[4] = {0};
  __enzyme_error_estimate_void((void *)loses_in_memory, &x, &ex, v, ev);
  EXPECT(fabs(ev[0] - 1.110223e-16) < 1e-18, 1);
  EXPECT(near(ev[3], first), 1);
}

static double parts_of(double x) {
  double s, c, whole;
  sincos(x, &s, &c);
  double fraction = modf(4 * s, &whole);
  return fraction * c;
}
static double pieces(double x) {
  double whole = floor(4 * sin(x));
  return (4 * sin(x) - whole) * cos(x);
}

CHECK(results_in_memory) {
  double error = __enzyme_error_estimate((void *)parts_of, 0.5, 1e-8);
  EXPECT(fabs(error / __enzyme_error_estimate((void *)pieces, 0.5, 1e-8) - 1) < 1e-5, 1);
}

static double moved_as_bits(double x, int n) {
  double kept[2] = {2 * x, x};
  unsigned long bits;
  memcpy(&bits, kept + n, sizeof bits);
  double y;
  memcpy(&y, &bits, sizeof y);
  return y * y;
}

CHECK(bits_of_numbers) {
  EXPECT(near(__enzyme_error_estimate((void *)moved_as_bits, 3.0, 1e-6, 1), 2e-6), 1);
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
  EXPECT(near(__enzyme_error_estimate((void *)square_root, 4.0, 1e-6), 5e-7), 1);
  EXPECT(near(__enzyme_error_estimate((void *)quotient, 1.0, 1e-6, -2.0, 1e-6), 2e-6), 1);
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
  double error = r.error * r.primal;
  EXPECT(lost <= error, 1);
  EXPECT(error <= N * unit(r.primal), 1);
  EXPECT(error >= unit(r.primal) * N / 8, 1);
}

/* Several sets of errors at once, of numbers, in memory and in vectors. */
extern int enzyme_width, enzyme_const;
extern struct Errors {
  double first, second;
} __enzyme_error_estimate_wide(void *, ...);

typedef double TwoErrors __attribute__((vector_size(2 * sizeof(double))));
static double in_lanes(const double *x) {
  TwoErrors v = {x[0], x[1]};
  v = v * v;
  return v[0] - v[1];
}

CHECK(several_directions) {
  struct Errors r = __enzyme_error_estimate_wide((void *)difference, enzyme_width, 2, 1.5, 1e-10,
                                                 2e-10, 1.0, 3e-10, 0.0);
  EXPECT(near(r.first, 9e-10), 1);
  EXPECT(near(r.second, 6e-10), 1);
  double x[2] = {2, 1}, e[2] = {1e-6, 0}, f[2] = {0, 1e-6};
  r = __enzyme_error_estimate_wide((void *)in_lanes, enzyme_width, 2, x, e, f);
  EXPECT(near(r.first, 8e-6 / 3), 1);
  EXPECT(near(r.second, 2e-6 / 3), 1);
  double a = 99, ea[2] = {0, 0.5}, b = 127, eb[2] = {0, 0.25}, s = 0, es[2] = {0, 0};
  __enzyme_error_estimate_void((void *)add_in_memory, enzyme_width, 2, &a, ea, ea + 1, &b, eb,
                               eb + 1, &s, es, es + 1);
  EXPECT(near(es[0], 0x1p-45 / 226), 1);
  EXPECT(near(es[1], (0.5 * 99 + 0.25 * 127) / 226), 1);
}

static double narrowed(double x) { return (float)x; }

CHECK(formats) {
  EXPECT(near(__enzyme_error_estimate((void *)narrowed, 1.25, 0.0), 0x1p-23 / 1.25), 1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats longer than a double, by the library for them, give what MPFR gives.
// REQUIRES: mpfr
// RUN: %clang -O0 %s %mpfr -lm -o %t && %t
// RUN: %clang -O1 %s %mpfr -lm -o %t && %t
// RUN: %clang -O2 %s %mpfr -lm -o %t && %t
// RUN: %clang -O3 %s %mpfr -lm -o %t && %t
// RUN: %clang -O2 -march=native %s %mpfr -lm -o %t && %t
// RUN: %clang -O1 -fsanitize=address %s %mpfr -lm -o %t && %t
// RUN: %clang -O1 -fsanitize=thread %s %mpfr -lm -o %t && %t
// RUN: not %clang -O0 %s -lm -o %t 2>&1 | FileCheck --check-prefix=WITHOUT %s
// RUN: not %clang -O2 -ffast-math -c %s -o %t 2>&1 | FileCheck --check-prefix=FAST %s
// RUN: not %clang -O2 -DSLOPE -c %s -o %t 2>&1 | FileCheck --check-prefix=SLOPE %s
// WITHOUT: __nabla_mpfr_
// FAST: there is no -ffast-math {{.*}}[nabla: entry-unsupported]
// SLOPE: error: {{.*}}[nabla: no-rule]
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double Unary(double);
typedef double Binary(double, double);
typedef double Array(double *, int);
typedef int64_t Whole(double, double);

extern Binary *__enzyme_truncate_op_func(Binary *, int, int, int);
extern Binary *__enzyme_truncate_mem_func(Binary *, int, int, int);
extern Array *__enzyme_truncate_mem_func_array(Array *, int, int, int);
extern Whole *__enzyme_truncate_mem_func_whole(Whole *, int, int, int);
extern double __enzyme_truncate_mem_value(double, int, int, int);
extern double __enzyme_expand_mem_value(double, int, int, int);
extern void __nabla_mpfr_release(void);

static _Atomic int wrong;

static void expect(int right, const char *what, double x, double y) {
  if (right)
    return;
  wrong = 1;
  printf("%s of %a and %a\n", what, x, y);
}

/* Are they the same number, with the same sign, or both NaN? */
static int same(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static double minus(double x, double y) { return x - y; }

/* --- What MPFR says --- */

typedef int Of(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static void begin(int exponent, int significand) {
  mpfr_set_default_prec(significand + 1);
  mpfr_set_emin(3 - (1L << (exponent - 1)) - significand);
  mpfr_set_emax(1L << (exponent - 1));
}
static void end(void) {
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}
static void number(mpfr_t to, double x) {
  mpfr_init(to);
  int inexact = mpfr_set_d(to, x, MPFR_RNDN);
  mpfr_subnormalize(to, inexact, MPFR_RNDN);
}
/* The nearest double, and what is left. */
static void by_mpfr(Of *of, double x, double y, double *parts, int exponent, int significand) {
  mpfr_t a, b, r;
  begin(exponent, significand);
  number(a, x);
  number(b, y);
  number(r, 0);
  int inexact = of(r, a, b, MPFR_RNDN);
  mpfr_subnormalize(r, inexact, MPFR_RNDN);
  parts[0] = mpfr_get_d(r, MPFR_RNDN);
  mpfr_set_d(a, parts[0], MPFR_RNDN);
  inexact = mpfr_sub(r, r, a, MPFR_RNDN);
  mpfr_subnormalize(r, inexact, MPFR_RNDN);
  parts[1] = mpfr_get_d(r, MPFR_RNDN);
  mpfr_clears(a, b, r, (mpfr_ptr)0);
  end();
}

/* --- Operations --- */

static double add(double x, double y) { return x + y; }
static double subtract(double x, double y) { return x - y; }
static double multiply(double x, double y) { return x * y; }
static double divide(double x, double y) { return x / y; }
static double power(double x, double y) { return pow(x, y); }
static double angle(double x, double y) { return atan2(x, y); }
static double rest(double x, double y) { return fmod(x, y); }
static double wave(double x, double y) { return sin(x); }
static double growth(double x, double y) { return exp(x); }
static double logarithm(double x, double y) { return log(x); }
static double below(double x, double y) { return floor(x / y); }
static double size(double x, double y) { return -fabs(x / y); }
static double larger(double x, double y) { return fmax(x, y); }

static int of_root(mpfr_t r, const mpfr_t a, const mpfr_t b, mpfr_rnd_t m) {
  return mpfr_sqrt(r, a, m);
}
static int of_wave(mpfr_t r, const mpfr_t a, const mpfr_t b, mpfr_rnd_t m) {
  return mpfr_sin(r, a, m);
}
static int of_growth(mpfr_t r, const mpfr_t a, const mpfr_t b, mpfr_rnd_t m) {
  return mpfr_exp(r, a, m);
}
static int of_logarithm(mpfr_t r, const mpfr_t a, const mpfr_t b, mpfr_rnd_t m) {
  return mpfr_log(r, a, m);
}
static int of_below(mpfr_t r, const mpfr_t a, const mpfr_t b, mpfr_rnd_t m) {
  mpfr_subnormalize(r, mpfr_div(r, a, b, m), m);
  return mpfr_rint_floor(r, r, m);
}
static int of_size(mpfr_t r, const mpfr_t a, const mpfr_t b, mpfr_rnd_t m) {
  mpfr_subnormalize(r, mpfr_div(r, a, b, m), m);
  mpfr_setsign(r, r, 1, m);
  return 0;
}

static const double some[] = {0.0,        -0.0,    1.0,         3.0,         0.1,        -0.7,
                              1e10,       -2.5e-3, 1e30,        1e-200,      3e-310,     0x1p-126,
                              0x1.8p-140, 1.7e308, INFINITY,    NAN,         65504,      -1e5,
                              0x1p-14,    0x1p-25, 255.0 / 256, 1 - 0x1p-53, 1 + 0x1p-52};
enum { SOME = sizeof some / sizeof *some };

/* Operations that are several have no `op`. */
static void compare(Binary *op, Binary *memory, Binary *difference, Of *of, const char *name,
                    int exponent, int significand) {
  for (int i = 0; i < SOME; i++)
    for (int k = 0; k < SOME; k++) {
      double x = some[i], y = some[k], parts[2];
      by_mpfr(of, x, y, parts, exponent, significand);
      double found = memory(__enzyme_truncate_mem_value(x, 64, 15, 112), y);
      double first = __enzyme_expand_mem_value(found, 64, 15, 112);
      double second = __enzyme_expand_mem_value(difference(found, first), 64, 15, 112);
      expect(!op || same(op(x, y), parts[0]), name, x, y);
      expect(same(first, parts[0]), name, x, y);
      expect(same(second, parts[1]), name, x, y);
    }
}

#define COMPARE_SEVERAL(f, of, exponent, significand)                                              \
  compare(NULL, __enzyme_truncate_mem_func(f, 64, exponent, significand),                          \
          __enzyme_truncate_mem_func(minus, 64, exponent, significand), of,                        \
          #f " " #exponent " " #significand, exponent, significand)

#define COMPARE(f, of, exponent, significand)                                                      \
  compare(__enzyme_truncate_op_func(f, 64, exponent, significand),                                 \
          __enzyme_truncate_mem_func(f, 64, exponent, significand),                                \
          __enzyme_truncate_mem_func(minus, 64, exponent, significand), of,                        \
          #f " " #exponent " " #significand, exponent, significand)

#define COMPARE_ALL(exponent, significand)                                                         \
  COMPARE(add, mpfr_add, exponent, significand);                                                   \
  COMPARE(subtract, mpfr_sub, exponent, significand);                                              \
  COMPARE(multiply, mpfr_mul, exponent, significand);                                              \
  COMPARE(divide, mpfr_div, exponent, significand);                                                \
  COMPARE(power, mpfr_pow, exponent, significand);                                                 \
  COMPARE(angle, mpfr_atan2, exponent, significand);                                               \
  COMPARE(rest, mpfr_fmod, exponent, significand);                                                 \
  COMPARE(wave, of_wave, exponent, significand);                                                   \
  COMPARE(growth, of_growth, exponent, significand);                                               \
  COMPARE(logarithm, of_logarithm, exponent, significand);                                         \
  COMPARE_SEVERAL(below, of_below, exponent, significand);                                         \
  COMPARE_SEVERAL(size, of_size, exponent, significand);                                           \
  COMPARE(larger, mpfr_max, exponent, significand)

static double just_root(double x, double y) { return sqrt(x); }

/* --- Memory, loops, callees, comparisons and conversions --- */

__attribute__((noinline)) static double smaller(double x, double y) { return x < y ? x : y; }

/* All but 1 / 3^n of it is lost in doubles. */
static double through_memory(double *x, int n) {
  double sum = 1;
  for (int i = 0; i < n; i++) {
    x[i] = x[i] / 3;
    sum += smaller(x[i] * 1e-25, x[i]);
  }
  memcpy(x + n, x, sizeof *x);
  for (int i = 0; i < n; i++)
    sum -= 1e-25 * x[i];
  return (sum - 1) * 1e25 + x[n] * 3;
}

static int64_t whole(double x, double y) {
  int64_t n = (int64_t)((x + y) * 3 - x * 3);
  return n + (x + y > x) + (int64_t)(float)((x + 3 * y) - x) + (int64_t)(double)n;
}

static void check_memory(void) {
  double x[5] = {1, 2, 0.5, 7, 0};
  double found = __enzyme_truncate_mem_func_array(through_memory, 64, 15, 300)(x, 4);
  double value = __enzyme_expand_mem_value(found, 64, 15, 300);
  expect(value == 1, "memory", value, 0);
  expect(__enzyme_expand_mem_value(x[1], 64, 15, 300) == 2.0 / 3, "x[1]", x[1], 0);
  volatile double big = 1e22, one = 1;
  int64_t n = __enzyme_truncate_mem_func_whole(whole, 64, 15, 112)(big, one);
  expect(n == 3 + 1 + 3 + 3, "whole", big, one);
}

/* --- Several threads --- */

static double several(double x, double y) {
  double s = 0;
  for (int i = 1; i < 200; i++)
    s += sin(x * i) / (y + i);
  return s;
}

static double expected;

static void *run(void *unused) {
  for (int i = 0; i < 20; i++) {
    double r = __enzyme_truncate_mem_func(several, 64, 15, 112)(0.1, 0.2);
    expect(same(__enzyme_expand_mem_value(r, 64, 15, 112), expected), "threads", r, expected);
  }
  return unused;
}

static void check_threads(void) {
  pthread_t threads[4];
  double r = __enzyme_truncate_mem_func(several, 64, 15, 112)(0.1, 0.2);
  expected = __enzyme_expand_mem_value(r, 64, 15, 112);
  expect(fabs(expected - several(0.1, 0.2)) < 1e-13, "several", expected, 0);
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, run, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
}

#ifdef SLOPE
extern double __enzyme_fwddiff(void *, ...);
static double sloped(double x) { return __enzyme_truncate_mem_func(add, 64, 15, 112)(x, x); }
double slope(double x) { return __enzyme_fwddiff((void *)sloped, x, 1.0); }
#endif

int main(void) {
  end();
  COMPARE_ALL(15, 112);
  COMPARE_ALL(15, 63);
  COMPARE_ALL(11, 53);
  COMPARE_ALL(8, 60);
  COMPARE_ALL(5, 100);
  COMPARE_ALL(20, 10);
  COMPARE(just_root, of_root, 15, 112);
  COMPARE(just_root, of_root, 8, 60);
  check_memory();
  check_threads();
  __nabla_mpfr_release();
  check_memory();
  __nabla_mpfr_release();
  return wrong;
}

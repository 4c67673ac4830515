// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls of functions in the module: through levels, in loops, with constants, recursive. */
#include <stdarg.h>

#include "cases.h"

static real inlined_square(real a) { return a * a; }

static NOINLINE real square_plus(real a, real b) { return a * a + b; }

static NOINLINE real sine_of_square(real a) { return sin(inlined_square(a)); }

SCALAR1(call_inlined, 1.5) { return inlined_square(x) * inlined_square(x + 1); }

SCALAR2(call_once, 1.0, 2.0) { return square_plus(x, y) * x; }

SCALAR2(call_twice_same, 1.0, 2.0) { return square_plus(x, y) * square_plus(y, x); }

SCALAR2(call_of_call, 1.0, 2.0) { return square_plus(square_plus(x, y), sine_of_square(y)); }

SCALAR2(call_with_constants, 1.0, 2.0) {
  return square_plus(x, 3) + square_plus(2, y) * square_plus(2, 3) + square_plus(x, y);
}

SCALAR1(call_with_result_unused, 1.0) {
  (void)square_plus(x, x);
  return x * x;
}

static NOINLINE real level3(real a, real b) { return a * sin(b); }
static NOINLINE real level2(real a, real b) { return level3(a, b) + level3(b, a * b); }
static NOINLINE real level1(real a, real b) { return level2(a + 1, b) * level2(a, b - 1); }

SCALAR2(three_levels, 1.0, 2.0) { return level1(x, y) + level2(x, y); }

SUM(call_in_a_loop, 4, 0.1, 0.2, 0.3, 0.4) {
  real r = 1;
  for (int i = 0; i < n; i++)
    r = level3(r, x[i]) + x[i];
  return r;
}

SUM(call_under_a_condition, 4, 0.1, -0.2, 0.3, -0.4) {
  real r = 1;
  for (int i = 0; i < n; i++)
    r = x[i] > 0 ? level3(r, x[i]) : square_plus(r, x[i]);
  return r;
}

SUM(call_with_counter, 4, 0.1, -0.2, 0.3, -0.4) {
  real r = 1;
  for (int i = 0; i < n; i++)
    r = square_plus(r * 0.5, i) * x[i] + square_plus(i, x[i]);
  return r;
}

static NOINLINE void sine_and_cosine(real a, real *s, real *c) {
  *s = sin(a);
  *c = cos(a);
}

SCALAR2(out_pointers, 1.0, 2.0) {
  real s;
  real c;
  sine_and_cosine(x * y, &s, &c);
  return s * c + x * s;
}

SUM(out_pointers_in_a_loop, 3, 1.0, 2.0, 3.0) {
  real s = 0.5;
  real c = 0.25;
  for (int i = 0; i < n; i++)
    sine_and_cosine(x[i] * s + c, &s, &c);
  return s * c;
}

static NOINLINE void add_to(real *a, real b) { *a += b * b; }

SUM(in_out_pointer, 3, 1.0, 2.0, 3.0) {
  real a = 1;
  for (int i = 0; i < n; i++)
    add_to(&a, x[i] * a * 0.1);
  return a;
}

static NOINLINE void scale_array(int n, real *a, real s) {
  for (int i = 0; i < n; i++)
    a[i] *= s;
}

static NOINLINE real dot_product(int n, const real *a, const real *b) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

MAP(arrays_to_callees, 4, 2, 1.0, 2.0, 3.0, 4.0) {
  scale_array(n, x, x[0]);
  y[0] = dot_product(n, x, x);
  scale_array(n / 2, x, y[0] * 0.1);
  y[1] = dot_product(n - 1, x, x + 1);
}

MAP(callee_writes_output, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  for (int i = 0; i < n; i++)
    sine_and_cosine(x[i], &y[i], &x[i]);
}

static NOINLINE real magnitude(int n, const real *a) { return sqrt(dot_product(n, a, a)); }

MAP(normalised_by_callee, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] / magnitude(n, x);
}

static NOINLINE real weighted(int n, const real *a, const double *weight) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * weight[i];
  return sum;
}

SUM(constant_array_to_callee, 4, 1.0, 2.0, 3.0, 4.0) {
  static const double weight[4] = {1, -1, 2, -2};
  return weighted(n, x, weight) * weighted(2, x + 1, weight);
}

SUM(same_callee_const_and_active, 4, 1.0, 2.0, 3.0, 4.0) {
  real fixed[4];
  for (int i = 0; i < n; i++)
    fixed[i] = i + 0.5;
  return dot_product(n, x, fixed) * dot_product(n, fixed, fixed) + dot_product(n, x, x);
}

static NOINLINE int index_of_first_positive(int n, const real *a) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0)
      return i;
  return 0;
}

SUM(integer_from_callee, 4, -1.0, -2.0, 3.0, 4.0) {
  int k = index_of_first_positive(n, x);
  return x[k] * x[k] * k + x[0];
}

static NOINLINE const real *element(const real *a, int i) { return a + i; }

SUM(pointer_from_callee, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += *element(x, i) * *element(x, n - 1);
  return r;
}

static NOINLINE void exchange(real *a, real *b) {
  real t = *a;
  *a = *b;
  *b = t;
}

MAP(exchange_by_callee, 4, 1, 3.0, 1.0, 4.0, 2.0) {
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j + 1 < n; j++)
      if (x[j] > x[j + 1])
        exchange(&x[j], &x[j + 1]);
  y[0] = x[0] * x[n - 1];
}

SUM(prints_in_the_middle, 3, 1.0, 2.0, 3.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    r = r * x[i] + sin(r);
    printf("step %d: %g\n", i, (double)VALUE(r));
  }
  puts("done");
  return r;
}

static NOINLINE void report(const char *what, double value) {
  char text[64];
  snprintf(text, sizeof text, "%s %g", what, value);
  fprintf(stdout, "%s\n", text);
}

SCALAR2(reports_in_a_callee, 1.0, 2.0) {
  real r = x * y;
  report("product", (double)VALUE(r));
  return r * r;
}

static NOINLINE real power_by_recursion(real a, int k) {
  if (k == 0)
    return 1;
  return a * power_by_recursion(a, k - 1);
}

SCALAR1(recursive_power, 1.5) { return power_by_recursion(x, 5) + power_by_recursion(x, 2); }

static NOINLINE real fast_power(real a, int k) {
  if (k == 0)
    return 1;
  real half = fast_power(a, k / 2);
  return k % 2 ? half * half * a : half * half;
}

SCALAR1(recursive_fast_power, 1.5) { return fast_power(x, 11); }

static NOINLINE real fibonacci(real a, real b, int k) {
  if (k < 2)
    return k ? a : b;
  return fibonacci(a, b, k - 1) * 0.5 + fibonacci(a, b, k - 2) * sin(a);
}

SCALAR2(recursive_fibonacci, 1.0, 2.0) { return fibonacci(x, y, 6); }

static NOINLINE real tree_sum(const real *a, int from, int to) {
  if (to - from == 1)
    return sin(a[from]);
  int middle = (from + to) / 2;
  return tree_sum(a, from, middle) * tree_sum(a, middle, to) + a[from];
}

SUM(recursive_tree, 7, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0) { return tree_sum(x, 0, n); }

static real odd_step(real a, int k);
static NOINLINE real even_step(real a, int k) {
  return k == 0 ? a * a : odd_step(a * 0.5 + 1, k - 1);
}
static NOINLINE real odd_step(real a, int k) { return k == 0 ? a : even_step(sin(a) * a, k - 1); }

SCALAR1(mutual_recursion, 1.5) { return even_step(x, 5) + odd_step(x, 4); }

static NOINLINE void recursive_update(real *a, int n) {
  if (n <= 1)
    return;
  a[0] = a[0] * a[1] + a[n - 1];
  recursive_update(a + 1, n - 1);
  a[1] = a[1] * a[0] * 0.1;
}

MAP(recursion_in_place, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  recursive_update(x, n);
  y[0] = x[0] + x[n - 1];
}

static NOINLINE void recursive_weights(const real *restrict w, real *restrict z, int n) {
  if (n == 0)
    return;
  recursive_weights(w + 1, z, n - 1);
  z[0] = z[0] * w[0] + z[1];
  recursive_weights(w + 1, z + 1, n - 1);
  z[1] *= w[1] * w[0];
}

MAP(recursion_reads_what_stays, 8, 1, 1.0, 2.0, 3.0, 0.5, 0.7, 1.1, 1.2, 1.3) {
  (void)n;
  recursive_weights(x, x + 4, 3);
  y[0] = x[4] + x[5] * x[6];
}

MAP(recursion_weights_change_then, 8, 1, 1.0, 2.0, 3.0, 0.5, 0.7, 1.1, 1.2, 1.3) {
  recursive_weights(x, x + 4, 3);
  for (int i = 0; i < n; i++)
    x[i] *= x[i];
  y[0] = x[4] + x[5] * x[6] + x[0] * x[1];
}

static const double turns[] = {0.9, 1.1, -0.7, 0.4};

static NOINLINE void recursive_halves(const double *restrict w, real *restrict z, int n) {
  if (n <= 1)
    return;
  recursive_halves(w, z, n / 2);
  recursive_halves(w, z + n / 2, n / 2);
  for (int i = 0; i < n / 2; i++) {
    real turned = w[i] * z[i + n / 2];
    z[i + n / 2] = z[i] - turned;
    z[i] += turned;
  }
}

MAP(recursion_that_keeps_nothing, 8, 1, 1.0, 2.0, 3.0, 0.5, 0.7, 1.1, 1.2, 1.3) {
  recursive_halves(turns, x, 8);
  y[0] = 0;
  for (int i = 0; i < n; i++)
    y[0] += x[i] * x[i] * (i + 1);
}

static NOINLINE void recursive_exchange(real *restrict a, real *restrict b, int n) {
  if (n == 0)
    return;
  a[0] *= b[0];
  recursive_exchange(b, a, n - 1);
  b[1] *= a[1] * a[0];
}

MAP(recursion_with_arguments_exchanged, 4, 1, 1.1, 0.9, 1.3, 0.8) {
  (void)n;
  recursive_exchange(x, x + 2, 4);
  y[0] = x[0] + x[1] * x[2] + x[3];
}

static NOINLINE real until_small(real a, real b) {
  if (a < 0.1)
    return a * b;
  return b + until_small(a * 0.5, b * a);
}

SCALAR2(recursion_on_data, 1.5, 0.5) { return until_small(x, y); }

static NOINLINE real many_arguments(real a, int i, real b, const real *p, long j, real c, int k,
                                    real d, real e) {
  return a * b + p[i] * c - d * e * p[j] + k * a;
}

SUM(call_with_many_arguments, 4, 1.0, 2.0, 3.0, 4.0) {
  return many_arguments(x[0], n - 1, x[1], x, 2, x[2], n, x[3], x[0] * x[1]);
}

static NOINLINE real with_local_array(int n, const real *a, real s) {
  real work[8];
  for (int i = 0; i < n; i++)
    work[i] = a[i] * s;
  real r = 0;
  for (int i = 0; i < n; i++)
    r = sin(r) + work[i] * work[n - 1 - i];
  return r;
}

SUM(callee_with_local_array, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 0.1;
  for (int i = 0; i < 3; i++)
    r = with_local_array(n, x, r) * 0.1;
  return r;
}

static NOINLINE void smooth(int n, const real *from, real *to) {
  to[0] = from[0];
  to[n - 1] = from[n - 1];
  for (int i = 1; i + 1 < n; i++)
    to[i] = from[i] * from[i - 1] * 0.1 + from[i + 1];
}

MAP(callee_between_buffers, 5, 5, 1.0, 2.0, 3.0, 4.0, 5.0) {
  for (int step = 0; step < 3; step++) {
    smooth(n, x, y);
    smooth(n, y, x);
  }
}

static NOINLINE void nothing(void) {}

SCALAR1(call_without_arguments, 1.5) {
  nothing();
  return x * x;
}

static double shared_factor = 3;
static NOINLINE double read_factor(void) { return shared_factor; }

SCALAR1(inactive_global, 1.5) { return x * x * read_factor() * shared_factor; }

MAP(callee_in_place, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  smooth(n, x, x);
  y[0] = x[1] * x[n - 2];
}

static NOINLINE void add_scaled(int n, const real *from, real *to, real s) {
  for (int i = 0; i < n; i++)
    to[i] += s * from[i];
}

MAP(callee_on_overlapping_parts, 5, 1, 1.0, 2.0, 3.0, 4.0, 5.0) {
  add_scaled(n - 1, x, x + 1, 0.5);
  add_scaled(n - 1, x + 1, x, x[0]);
  y[0] = x[0] * x[n - 1];
}

static int talkative;

static NOINLINE void report_values(const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (talkative)
    vprintf(format, list);
  va_end(list);
}

SUM(variadic_report, 3, 0.3, 0.1, -0.4) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    r = r * x[i] + x[i];
    report_values("%d %g\n", i, VALUE(r));
  }
  return r;
}

#ifdef __cplusplus
#define MUSTTAIL
#else
#define MUSTTAIL __attribute__((musttail))
#endif

static NOINLINE real even_turn(int n, real *x, real r);

static NOINLINE real odd_turn(int n, real *x, real r) {
  if (n == 0)
    return r;
  *x = *x * r + 0.5;
  MUSTTAIL return even_turn(n - 1, x, r * *x);
}

static NOINLINE real even_turn(int n, real *x, real r) {
  if (n == 0)
    return r * *x;
  MUSTTAIL return odd_turn(n - 1, x, sin(r) + *x);
}

SUM(mutual_tail_calls, 3, 0.3, 0.1, -0.4) {
  real state = x[0];
  return odd_turn(6, &state, x[1]) * even_turn(3, &state, x[2]) + state;
}

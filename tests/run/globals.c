// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Globals: scratch memory that active values go through, static locals, parameters that are only
 * read, tables of pointers. */
#define NB_AT_ONCE
#include "cases.h"

static real scratch[8];
static real last;

static NOINLINE void remember(real a) { last = a * a; }
static NOINLINE real recall(real a) { return last * a; }

SCALAR1(through_a_global, 1.5) {
  remember(x);
  return recall(x) + last;
}

SCALAR1(overwritten_global, 1.5) {
  remember(x);
  real r = recall(2);
  last = 3;
  r += recall(x);
  remember(sin(x));
  return r * recall(x);
}

static NOINLINE void fill(int n, const real *x) {
  for (int i = 0; i < n; i++)
    scratch[i] = sin(x[i]) * x[0];
}

static NOINLINE real fold(int n) {
  real r = 0;
  for (int i = 0; i < n; i++) {
    r += scratch[i] * scratch[(i + 1) % n];
    scratch[i] = r;
  }
  return r;
}

SUM(scratch_array, 4, 0.3, 0.1, -0.4, 1.2) {
  fill(n, x);
  real r = fold(n);
  fill(n - 1, x + 1);
  return r * fold(n) + scratch[2];
}

SUM(copied_through_a_global, 4, 0.3, 0.1, -0.4, 1.2) {
  memcpy(scratch, x, (size_t)n * sizeof *x);
  memmove(scratch + 1, scratch, (size_t)n * sizeof *x);
  real r = scratch[0] * scratch[4];
  memset(scratch, 0, 2 * sizeof *x);
  return r + scratch[1] * scratch[2] + scratch[2] * scratch[3] * x[1];
}

static NOINLINE real step(int start, real a) {
  static real state;
  state = (start ? 0.25 : state) * 0.5 + a * a;
  return state * a;
}

SUM(static_local, 4, 0.3, 0.1, -0.4, 1.2) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += step(i == 0, x[i]) * step(0, r);
  return r;
}

static real weights[4] = {1, 2, 3, 4};

static NOINLINE real weigh(int n, const real *a, const real *w) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += a[i] * w[i];
  return r;
}

SUM(parameters_are_read, 4, 0.3, 0.1, -0.4, 1.2) {
  real r = weigh(n, x, weights) * weights[1];
  const real *w = VALUE(x[0]) > 0.2 ? x : weights;
  return r * weigh(n, w, x) + w[1];
}

static real first[4], second[4];
static real *const rows[2] = {first, second + 1};

static NOINLINE void spread(int n, const real *x) {
  for (int i = 0; i < n; i++)
    rows[i & 1][i / 2] = x[i] * x[(i + 1) % n];
}

SUM(table_of_arrays, 4, 0.3, 0.1, -0.4, 1.2) {
  spread(n, x);
  return first[0] * second[1] + first[1] * second[2] * x[0] + rows[1][0];
}

static const real *current;
static int current_count;

static NOINLINE real sum_current(void) {
  real r = 0;
  for (int i = 0; i < current_count; i++)
    r += current[i] * current[0];
  return r;
}

SUM(pointer_in_a_global, 4, 0.3, 0.1, -0.4, 1.2) {
  current = x;
  current_count = n;
  real r = sum_current();
  current = x + 1;
  current_count = n - 1;
  return r * sum_current();
}

typedef struct {
  real position[2], speed;
  int steps;
} State;

static State state;

static NOINLINE void advance(real force) {
  state.speed += force;
  state.position[state.steps % 2] += state.speed * state.position[0];
  state.steps++;
}

SUM(struct_global, 4, 0.3, 0.1, -0.4, 1.2) {
  State start = {{1, 2}, 0, 0};
  state = start;
  for (int i = 0; i < n; i++)
    advance(x[i]);
  return state.position[0] * state.position[1] + state.speed;
}

static real memo[16];

static NOINLINE real fibonacci(int n, real x) {
  if (n < 2)
    return x + n;
  if (VALUE(memo[n]) != 0)
    return memo[n];
  memo[n] = fibonacci(n - 1, x) * 0.5 + fibonacci(n - 2, x) * x;
  return memo[n];
}

SCALAR1(memoised_recursion, 0.7) {
  for (int i = 0; i < 16; i++)
    memo[i] = 0;
  return fibonacci(9, x) * fibonacci(5, x);
}

static real *hidden_result;

static NOINLINE void deliver(real a) { *hidden_result += a * a; }

SUM(local_through_a_global, 3, 0.3, 0.1, -0.4) {
  real r = 0;
  hidden_result = &r;
  for (int i = 0; i < n; i++)
    deliver(x[i]);
  return r * x[0];
}

static real *walker;

static NOINLINE real walk(real t) {
  *walker = tanh(*walker * t);
  return *walker++ * 0.5;
}

/* The global is set on each way that it is used on, but not on all ways. */
MAP(set_on_each_way, 3, 3, 0.5, 1.5, -0.5) {
  real local[3] = {x[0], x[1] * x[0], x[2]};
  if (n > 2 && x[0] > 0) {
    walker = local;
    for (int i = 0; i < n; i++)
      y[i] += walk(x[i]);
    walker = NULL;
  }
  for (int k = 0; k < 2; k++) {
    walker = y;
    for (int i = 0; i < n; i++)
      local[i] += walk(x[i]);
  }
  walker = NULL;
  y[0] += local[0] * local[1] * local[2];
}

static NOINLINE void walk_from(real *start) { walker = start; }

MAP(set_by_a_helper, 2, 2, 0.5, 1.5) {
  walk_from(y);
  for (int i = 0; i < n; i++)
    x[i] += walk(x[i]);
  walk_from(NULL);
}

/* A global led to memory that is freed: its shadow does not outlive it. */
MAP(freed_under_a_global, 2, 2, 0.5, 1.5) {
  real *block = (real *)calloc(4, sizeof(real));
  block[0] = sin(x[0]);
  walker = block;
  for (int i = 0; i < 3; i++)
    y[0] += walk(x[1]);
  walker = NULL;
  if (n > 5 && y[0] > 1) {
    free(block);
    return;
  }
  y[1] = y[0] * block[0];
  free(block);
}

#ifndef __cplusplus
static real total;

static NOINLINE real add_to_total(real x) {
  total += x * x;
  return total * x;
}

CHECK(what_a_global_held_before_is_constant) {
  total = 2;
  EXPECT(__enzyme_autodiff_scalar1(add_to_total, 3), 2 + 27);
  EXPECT(total, 11);
  EXPECT(__enzyme_fwddiff_scalar1(add_to_total, 3, 1), 11 + 27);
  EXPECT(total, 20);
  EXPECT(__enzyme_autodiff_scalar1(add_to_total, 1), 20 + 3);
  EXPECT(__enzyme_fwddiff_scalar1(add_to_total, 1, 1), 21 + 3);
}

static real product_of_globals(real x) {
  last = x * x;
  scratch[1] = recall(x);
  scratch[2] = scratch[1] + x;
  return recall(x) + scratch[1] * scratch[2];
}

static real reverse_of_globals(real x) { return __enzyme_autodiff_scalar1(product_of_globals, x); }
static real forward_of_globals(real x) {
  return __enzyme_fwddiff_scalar1(product_of_globals, x, 1);
}

CHECK(nested_derivatives_have_shadows_of_their_own) {
  EXPECT(reverse_of_globals(2), 236);
  EXPECT(__enzyme_autodiff_scalar1(reverse_of_globals, 2), 540);
  EXPECT(__enzyme_fwddiff_scalar1(reverse_of_globals, 2, 1), 540);
  EXPECT(__enzyme_autodiff_scalar1(forward_of_globals, 2), 540);
  EXPECT(__enzyme_fwddiff_scalar1(forward_of_globals, 2, 1), 540);
}
#endif

/* Is written by name between the callee's read and its reverse: what was passed is that, or not. */
static real named[8], passed[8];
static real *chosen;

static NOINLINE real cubes(const real *x, int n) {
  real s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i] * x[i];
  return s;
}
static NOINLINE void wipe_named(real a) {
  for (int i = 0; i < 8; i++)
    named[i] = a;
}
static NOINLINE void wipe_passed(real a) {
  for (int i = 0; i < 8; i++)
    passed[i] = a;
}

SUM(written_by_name, 4, 0.3, 0.1, -0.4, 1.2) {
  named[1] = x[1];
  real s = cubes(x, n);
  wipe_named(s);
  return cubes(x, n - 1) * named[1];
}

SUM(passed_and_written_by_name, 4, 0.3, 0.1, -0.4, 1.2) {
  for (int i = 0; i < n; i++)
    passed[i] = sin(x[i]);
  real s = cubes(passed, n);
  wipe_passed(s);
  return s * cubes(passed, n - 1) + passed[1] * x[0];
}

SUM(found_and_written_by_name, 4, 0.3, 0.1, -0.4, 1.2) {
  chosen = passed;
  for (int i = 0; i < n; i++)
    chosen[i] = sin(x[i]);
  real s = cubes(chosen, n);
  passed[2] = s * x[1];
  return s * cubes(chosen, n);
}

SUM(read_by_name_between, 4, 0.3, 0.1, -0.4, 1.2) {
  real s = 0;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++)
      named[i] = s + x[i] * x[i];
    for (int i = 0; i < n; i++)
      s += named[i] * named[n - 1 - i];
  }
  return s;
}

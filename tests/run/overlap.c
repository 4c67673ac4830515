// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments that overlap, wholly or in part, and ones that lie side by side: whether the version of
 * the derivative that relies on their lying apart may run is decided when it runs. */
// reals: double
// differences: none
#include "cases.h"

enum { CELLS = 24 };

extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

static void fill(double *memory) {
  for (int i = 0; i < CELLS; i++)
    memory[i] = 0.3 + 0.05 * ((i * 7) % 11);
}

static double weight(int i) { return 1 + 0.1 * i; }

typedef void Derivative(int n, double *state, double *shadow, int offset);

/* <w, J v> for each direction v is an element of the gradient that is seeded with w. */
static void compare(Derivative *reverse, Derivative *forward, int n, int offset) {
  double memory[CELLS], gradient[CELLS];
  fill(memory);
  for (int i = 0; i < CELLS; i++)
    gradient[i] = weight(i);
  reverse(n, memory + 8, gradient + 8, offset);
  for (int k = 0; k < CELLS; k++) {
    double tangent[CELLS] = {0}, sum = 0;
    fill(memory);
    tangent[k] = 1;
    forward(n, memory + 8, tangent + 8, offset);
    for (int i = 0; i < CELLS; i++)
      sum += weight(i) * tangent[i];
    EXPECT(gradient[k], sum);
  }
}

static void compare_all(Derivative *reverse, Derivative *forward) {
  for (int offset = -8; offset <= 8; offset++)
    for (int n = 0; n <= 6; n += 2)
      compare(reverse, forward, n, offset);
}

#define DERIVATIVES(step)                                                                          \
  static void reverse_##step(int n, double *state, double *shadow, int offset) {                   \
    __enzyme_autodiff((void *)step, enzyme_const, n, enzyme_dup, state, shadow, enzyme_dup,        \
                      state + offset, shadow + offset);                                            \
  }                                                                                                \
  static void forward_##step(int n, double *state, double *shadow, int offset) {                   \
    __enzyme_fwddiff((void *)step, enzyme_const, n, enzyme_dup, state, shadow, enzyme_dup,         \
                     state + offset, shadow + offset);                                             \
  }

static void weighted(int n, double *state, const double *weights) {
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      state[i] = state[i] * weights[i] + 0.5 * state[i];
}
DERIVATIVES(weighted)
CHECK(a_state_and_its_weights) { compare_all(reverse_weighted, forward_weighted); }

static void downwards(int n, double *state, const double *weights) {
  for (int t = 0; t < 3; t++)
    for (int i = n - 1; i >= 0; i--)
      state[i] = state[i] * weights[n - 1 - i];
}
DERIVATIVES(downwards)
CHECK(a_state_downwards) { compare_all(reverse_downwards, forward_downwards); }

static void triangle(int n, double *state, const double *weights) {
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        state[j] += 0.1 * state[i] * weights[i - j] * weights[j];
}
DERIVATIVES(triangle)
CHECK(a_triangle) { compare_all(reverse_triangle, forward_triangle); }

static void every_other(int n, double *state, const double *weights) {
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i += 2)
      state[i] *= weights[i + 1] * state[i];
}
DERIVATIVES(every_other)
CHECK(every_other_element) { compare_all(reverse_every_other, forward_every_other); }

static void conditional(int n, double *state, const double *weights) {
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      if (state[i] > 0.5)
        state[i] *= weights[i];
}
DERIVATIVES(conditional)
CHECK(under_a_condition) { compare_all(reverse_conditional, forward_conditional); }

static void copied(int n, double *state, const double *weights) {
  double local[8];
  for (int t = 0; t < 3; t++) {
    memcpy(local, weights, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++)
      state[i] *= local[i] * weights[i];
  }
}
DERIVATIVES(copied)
CHECK(weights_copied) { compare_all(reverse_copied, forward_copied); }

static void bounded(int n, double *state, const double *weights) {
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n && i < (int)(weights[0] * 4); i++)
      state[i] *= weights[i];
}
DERIVATIVES(bounded)
CHECK(bounded_by_memory) { compare_all(reverse_bounded, forward_bounded); }

/* What each call is given lies apart; what one reads, a later one may write. */
static void turned(int times, int n, double *restrict to, const double *restrict from) {
  for (int i = 0; i < n; i++)
    to[i] *= 0.5 + from[n - 1 - i];
  if (times > 0)
    turned(times - 1, n, to, from);
}

static void in_two_calls(int n, double *state, const double *weights) {
  double local[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  turned(1, n, local, weights);
  turned(1, n, state, local);
}
DERIVATIVES(in_two_calls)
CHECK(read_by_one_call_and_written_by_the_next) {
  compare_all(reverse_in_two_calls, forward_in_two_calls);
}

/* --- Calls and loops of which only a run tells how far they go ----------------------------------
 */

static void halves(int n, double *state, const double *weights) {
  int half = n / 2;
  if (n < 2)
    return;
  halves(half, state, weights);
  halves(n - half, state + half, weights);
  for (int i = 0; i < half; i++)
    state[i] = state[i] * weights[2 * i] + 0.5 * state[half + i];
}
DERIVATIVES(halves)
CHECK(a_recursion_over_halves) { compare_all(reverse_halves, forward_halves); }

static void up(int n, double *state, const double *weights);

static void down(int n, double *state, const double *weights) {
  if (n < 1)
    return;
  state[n - 1] *= weights[0];
  up(n - 1, state, weights + 1);
}

static void up(int n, double *state, const double *weights) {
  if (n < 1)
    return;
  down(n - 1, state + 1, weights);
  for (int i = 0; i < n; i++)
    state[i] *= 0.5 + weights[i];
}
DERIVATIVES(down)
CHECK(two_functions_in_turn) { compare_all(reverse_down, forward_down); }

static void doubling(int n, double *state, const double *weights) {
  for (int half = 1; half < n; half *= 2)
    for (int first = 0; first + half < n; first += 2 * half)
      for (int i = 0; i < half; i++)
        state[first + i] += state[first + half] * weights[i * (n / (2 * half))];
}
DERIVATIVES(doubling)
CHECK(lengths_that_double) { compare_all(reverse_doubling, forward_doubling); }

static void scattered(int n, double *state, const double *weights) {
  for (int i = 0, at = 1; i < n; i++, at = (at * at + i) % 6)
    state[at] *= weights[i];
}
DERIVATIVES(scattered)
CHECK(elements_in_no_order) { compare_all(reverse_scattered, forward_scattered); }

static void unless(int n, double *state, const double *weights) {
  if (n < 1)
    return;
  state[0] *= weights[n - 1];
  if (state[0] > 0.1)
    unless(n - 1, state + 1, weights);
}
DERIVATIVES(unless)
CHECK(a_recursion_that_numbers_end) { compare_all(reverse_unless, forward_unless); }

/* What is passed on is apart for some calls and not for others. */
static void repeated(int times, int n, double *to, const double *from) {
  for (int i = 0; i < n; i++)
    to[i] *= 0.5 + from[n - 1 - i];
  if (times > 0)
    repeated(times - 1, n, to, from);
}

static void through_a_local(int n, double *state, const double *weights) {
  double local[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  repeated(2, n, local, weights);
  repeated(1, n, state, local);
  repeated(2, n, state, weights);
  repeated(1, n - 1, state + 1, state);
}
DERIVATIVES(through_a_local)
CHECK(passed_on_apart_or_not) { compare_all(reverse_through_a_local, forward_through_a_local); }

typedef struct {
  double *to;
  const double *from;
} Both;

static void by_third(int times, int n, const Both *both, const double *weights) {
  for (int i = 0; i < n; i++)
    both->to[i] *= weights[i] + 0.5 * both->from[0];
  if (times > 0)
    by_third(times - 1, n, both, weights);
}

static void through_a_third(int n, double *state, const double *weights) {
  Both both = {state, state};
  by_third(2, n, &both, weights);
}
DERIVATIVES(through_a_third)
CHECK(written_through_a_third_pointer) {
  compare_all(reverse_through_a_third, forward_through_a_third);
}

static double scratch[8];

static void by_global(int times, int n, double *to, const double *from) {
  for (int i = 0; i < n; i++) {
    to[i] *= from[i];
    scratch[i] *= 0.5 + to[i];
  }
  if (times > 0)
    by_global(times - 1, n, to, from);
}

static void through_a_global(int n, double *state, const double *weights) {
  for (int i = 0; i < n; i++)
    scratch[i] = weights[i];
  by_global(2, n, state, scratch);
}
DERIVATIVES(through_a_global)
CHECK(written_through_a_global) { compare_all(reverse_through_a_global, forward_through_a_global); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that are given parts of one piece of memory, which lie apart or not: whether the
 * version of their derivatives that relies on it may run is decided in each call. */
// reals: double
// differences: none
#include "cases.h"

enum { CELLS = 40, MIDDLE = 12 };

extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef void Gradient(int n, double *room, double *shadow, int offset);
typedef void Slope(int n, double *room, double *tangent, int offset, double *slope);

static void fill(double *room) {
  for (int i = 0; i < CELLS; i++)
    room[i] = 0.3 + 0.05 * ((i * 7) % 11);
}

/* The slope in direction k is the gradient's element k. */
static void compare(Gradient *gradient, Slope *slope, int n, int offset) {
  double room[CELLS], shadow[CELLS] = {0};
  fill(room);
  gradient(n, room + MIDDLE, shadow + MIDDLE, offset);
  for (int k = 0; k < CELLS; k++) {
    double tangent[CELLS] = {0};
    fill(room);
    tangent[k] = 1;
    double found;
    slope(n, room + MIDDLE, tangent + MIDDLE, offset, &found);
    EXPECT(shadow[k], found);
  }
}

static void compare_all(Gradient *gradient, Slope *slope) {
  for (int offset = -MIDDLE; offset <= MIDDLE; offset++)
    for (int n = 0; n <= 3; n++)
      compare(gradient, slope, n, offset);
}

#define PROGRAM(name)                                                                              \
  static void gradient_##name(int n, double *room, double *shadow, int offset) {                   \
    __enzyme_autodiff((void *)name, enzyme_const, n, enzyme_dup, room, shadow, enzyme_const,       \
                      offset);                                                                     \
  }                                                                                                \
  static void slope_##name(int n, double *room, double *tangent, int offset, double *slope) {      \
    *slope = __enzyme_fwddiff((void *)name, enzyme_const, n, enzyme_dup, room, tangent,            \
                              enzyme_const, offset);                                               \
  }

static double total(const double *room) {
  double sum = 0;
  for (int i = -MIDDLE; i < CELLS - MIDDLE; i++)
    sum += (1 + 0.1 * i) * room[i];
  return sum;
}

/* Both versions keep what they read, which is overwritten later. */
NOINLINE static void products(int n, const double *from, double *to) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      to[i * n + j] += from[j * n + i] * from[i * n + j];
}

static double back_and_forth(int n, double *room, int offset) {
  products(n, room, room + offset);
  products(n, room + offset, room);
  return total(room);
}
PROGRAM(back_and_forth)
CHECK(kept_in_any_case) { compare_all(gradient_back_and_forth, slope_back_and_forth); }

/* One version keeps the weights. */
NOINLINE static void weighted(int n, const double *weights, double *state) {
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++)
      state[i] *= 0.5 + weights[n - 1 - i];
}

static double weighted_once(int n, double *room, int offset) {
  weighted(2 * n, room, room + offset);
  return total(room);
}
PROGRAM(weighted_once)
CHECK(kept_where_memory_meets) { compare_all(gradient_weighted_once, slope_weighted_once); }

/* Neither keeps anything. */
NOINLINE static void transposed(int n, const double *from, double *to) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      to[i * n + j] -= 0.5 * from[j * n + i];
}

static double turns(int n, double *room, int offset) {
  for (int t = 0; t < 3; t++) {
    transposed(n, room, room + offset);
    transposed(n, room + offset, room);
  }
  return total(room);
}
PROGRAM(turns)
CHECK(nothing_kept) { compare_all(gradient_turns, slope_turns); }

/* A result, a number that is passed, and a function that passes on. */
NOINLINE static double energy(int n, double scale, const double *one, const double *other) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += scale * one[i] * other[j] * one[i * n + j];
  return sum;
}

NOINLINE static double passed_on(int n, double scale, double *one, double *other) {
  double found = energy(n, scale * one[0], one, other);
  for (int t = 0; t < 2; t++) {
    products(n, one, other);
    found += energy(n, found, other, one + 1);
  }
  return found;
}

static double numbers(int n, double *room, int offset) {
  double found = 0;
  for (int i = 1; i <= n; i++)
    found += passed_on(i, 0.01 * room[i], room, room + offset);
  return total(room) + found;
}
PROGRAM(numbers)
CHECK(numbers_in_and_out) { compare_all(gradient_numbers, slope_numbers); }

/* Rows around, of which one is chosen in each iteration. */
NOINLINE static void spread(int n, const double *u, double *change) {
  for (int i = 0; i < n; i++) {
    const double *above = u + (i > 0 ? i - 1 : n - 1) * n;
    for (int j = 0; j < n; j++)
      change[i * n + j] = u[i * n + j] * above[j] - above[0];
  }
}

static double steps(int n, double *room, int offset) {
  for (int t = 0; t < 2; t++) {
    spread(n, room, room + offset);
    for (int i = 0; i < n * n; i++)
      room[i] += 0.1 * room[offset + i];
  }
  return total(room);
}
PROGRAM(steps)
CHECK(rows_that_are_chosen) { compare_all(gradient_steps, slope_steps); }

/* Only the function itself reads how far it goes, from memory that changes later. */
NOINLINE static void counted(const int *n, const double *from, double *to) {
  for (int i = 0; i < *n; i++)
    for (int j = 0; j < *n; j++)
      to[i * *n + j] -= 0.5 * from[j * *n + i];
}

static double changing(int n, double *room, int offset) {
  int count = n;
  counted(&count, room, room + offset);
  count = n / 2;
  counted(&count, room + offset, room);
  count = 0;
  return total(room);
}
PROGRAM(changing)
CHECK(a_count_that_changes) { compare_all(gradient_changing, slope_changing); }

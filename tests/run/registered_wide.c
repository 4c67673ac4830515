// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives that programs register for functions of memory, in several directions at once: what
 * is written for one direction is called for each, and the primal runs once. Those here are wrong
 * by factors of ten, so that they can be told from those of the bodies. */
// reals: double
// differences: none
#include "cases.h"

#include <string.h>

typedef struct {
  double first, second;
} Two;
typedef struct {
  double result, tangent;
} Both;
typedef struct {
  double *before;
  int n;
} Kept;
typedef struct {
  void *tape;
  double result;
} Taped;
extern int enzyme_width, enzyme_nofree, enzyme_interleave, enzyme_dupv;
extern void __enzyme_autodiff(void *, ...);
extern Two __enzyme_autodiff_two(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
extern Two __enzyme_fwddiff_two(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern Two __enzyme_fwdsplit_two(void *, ...);

/* --- It only reads --- */

NOINLINE static double dot(const double *x, const double *y, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}
static Both dot_forward(const double *x, const double *dx, const double *y, const double *dy,
                        int n) {
  Both both = {dot(x, y, n), 0};
  for (int i = 0; i < n; i++)
    both.tangent += 10 * (dx[i] * y[i] + x[i] * dy[i]);
  return both;
}
void *__enzyme_register_derivative_dot[] = {(void *)dot, (void *)dot_forward};
static double of_dot(const double *x, const double *y, int n) { return x[0] * dot(x, y, n); }

CHECK(reading) {
  double x[2] = {3, 4}, y[2] = {1, 2};
  double dx[4] = {1, 0, 0, 1}, dy[4] = {0, 0, 1, 1};
  Two r = __enzyme_fwddiff_two((void *)of_dot, enzyme_width, 2, enzyme_dupv, 2 * sizeof *dx, x, dx,
                               enzyme_dupv, 2 * sizeof *dy, y, dy, enzyme_const, 2);
  EXPECT(r.first, 41);
  EXPECT(r.second, 270);
}

/* --- It changes what it reads --- */

NOINLINE static void multiply(double *y, const double *x, int n) {
  for (int i = 0; i < n; i++)
    y[i] *= x[i];
}
NOINLINE static void set(double *place, double value) { *place = value; }
static void multiply_forward(double *y, double *dy, const double *x, const double *dx, int n) {
  for (int i = 0; i < n; i++) {
    dy[i] = 10 * (dy[i] * x[i] + y[i] * dx[i]);
    set(&y[i], y[i] * x[i]);
  }
}
static Kept multiply_augmented(double *y, double *dy, const double *x, double *dx, int n) {
  (void)dy, (void)dx;
  Kept kept = {malloc((size_t)n * sizeof *y), n};
  double *now = malloc((size_t)n * sizeof *y);
  memcpy(kept.before, y, (size_t)n * sizeof *y);
  for (int i = 0; i < n; i++)
    now[i] = y[i] * x[i];
  memcpy(y, now, (size_t)n * sizeof *y);
  free(now);
  return kept;
}
static void multiply_reverse(double *y, double *dy, const double *x, double *dx, int n, Kept kept) {
  memcpy(y, kept.before, (size_t)n * sizeof *y);
  for (int i = 0; i < n; i++) {
    dx[i] += 10 * kept.before[i] * dy[i];
    dy[i] *= 10 * x[i];
  }
  free(kept.before);
}
void *__enzyme_register_derivative_multiply[] = {(void *)multiply, (void *)multiply_forward};
void *__enzyme_register_gradient_multiply[] = {(void *)multiply, (void *)multiply_augmented,
                                               (void *)multiply_reverse};
static void several(double *y, double *x, int n) {
  multiply(y, x, n);
  multiply(y, x, n);
  multiply(x, x, n);
}

typedef struct {
  double y[2], x[2], dy[2][2], dx[2][2];
} State;
static const State begin = {{2, 3}, {5, 7}, {{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}};

static void expect_direction(const State *s, int k, const State *one) {
  for (int i = 0; i < 2; i++) {
    EXPECT(s->y[i], one->y[i]);
    EXPECT(s->x[i], one->x[i]);
    EXPECT(s->dy[k][i], one->dy[k][i]);
    EXPECT(s->dx[k][i], one->dx[k][i]);
  }
}

CHECK(in_place_forward) {
  State s = begin;
  __enzyme_fwddiff((void *)several, enzyme_width, 2, enzyme_dup, s.y, s.dy[0], s.dy[1], enzyme_dup,
                   s.x, s.dx[0], s.dx[1], enzyme_const, 2);
  EXPECT(s.y[0], 50);
  EXPECT(s.dy[0][0], 2500);
  for (int k = 0; k < 2; k++) {
    State one = begin;
    __enzyme_fwddiff((void *)several, enzyme_dup, one.y, one.dy[k], enzyme_dup, one.x, one.dx[k],
                     enzyme_const, 2);
    expect_direction(&s, k, &one);
  }
}

CHECK(in_place_reverse) {
  State s = begin, halves = begin;
  __enzyme_autodiff((void *)several, enzyme_width, 2, enzyme_dup, s.y, s.dy[0], s.dy[1], enzyme_dup,
                    s.x, s.dx[0], s.dx[1], enzyme_const, 2);
  void *tape = __enzyme_augmentfwd((void *)several, enzyme_width, 2, enzyme_dup, halves.y,
                                   halves.dy[0], halves.dy[1], enzyme_dup, halves.x, halves.dx[0],
                                   halves.dx[1], enzyme_const, 2);
  EXPECT(halves.y[0], 50);
  __enzyme_reverse((void *)several, enzyme_width, 2, enzyme_dup, halves.y, halves.dy[0],
                   halves.dy[1], enzyme_dup, halves.x, halves.dx[0], halves.dx[1], enzyme_const, 2,
                   tape);
  for (int k = 0; k < 2; k++) {
    State one = begin;
    __enzyme_autodiff((void *)several, enzyme_dup, one.y, one.dy[k], enzyme_dup, one.x, one.dx[k],
                      enzyme_const, 2);
    expect_direction(&s, k, &one);
    expect_direction(&halves, k, &one);
  }
}

/* --- It keeps memory for each number --- */

static double square(double x) { return x * x; }
static Taped square_augmented(double x) {
  double *kept = malloc(sizeof *kept);
  *kept = x;
  return (Taped){kept, x * x};
}
static double square_reverse(double x, double seed, void *tape) {
  (void)x;
  double slope = 100 * *(double *)tape;
  free(tape);
  return slope * seed;
}
static double square_split(double x, double dx, void *tape) {
  return square_reverse(x, dx, tape) * 2;
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented,
                                             (void *)square_reverse};
void *__enzyme_register_splitderivative_square[] = {(void *)square, (void *)square_augmented,
                                                    (void *)square_split};
static double of_square(double x) { return square(x) + square(2 * x); }
static void into(double x, double *y) { *y = of_square(x); }

CHECK(memory_of_each_direction) {
  double y = 0, first = 1, second = 2;
  Two r = __enzyme_autodiff_two((void *)into, enzyme_width, 2, 3.0, &y, &first, &second);
  EXPECT(y, 45);
  EXPECT(r.first, 100 * 3 + 2 * 100 * 6);
  EXPECT(r.second, 2 * r.first);
}

CHECK(later) {
  void *tape = __enzyme_augmentfwd((void *)of_square, enzyme_width, 2, 3.0);
  Two r = __enzyme_fwdsplit_two((void *)of_square, enzyme_width, 2, 3.0, 1.0, 2.0, tape);
  EXPECT(r.first, 2 * (100 * 3 + 2 * 100 * 6));
  EXPECT(r.second, 2 * r.first);
}

/* --- Pointers in its memory and in its result --- */

typedef struct {
  double *place, *other;
} Places;
NOINLINE static double *step(Places *p, double by) {
  *p->place += by;
  p->place++;
  return p->place;
}
typedef struct {
  double *result, *shadow;
} Step;
static Step step_forward(Places *p, Places *dp, double by, double dby) {
  *p->place += by;
  *dp->place += 10 * dby;
  p->place++;
  dp->place++;
  return (Step){p->place, dp->place};
}
void *__enzyme_register_derivative_step[] = {(void *)step, (void *)step_forward};
static double steps(double *x, double by) {
  Places p = {x, x};
  *step(&p, by) += 1;
  *step(&p, 2 * by) += 1;
  return x[0] * x[1] * p.other[2];
}

CHECK(pointers) {
  double x[3] = {1, 2, 3}, dx[2][3] = {{1, 0, 0}, {0, 0, 1}};
  Two r = __enzyme_fwddiff_two((void *)steps, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1], 5.0,
                               1.0, 0.0);
  EXPECT(x[0], 6);
  EXPECT(x[1], 13);
  EXPECT(x[2], 4);
  EXPECT(r.first, 11 * 13 * 4 + 6 * 20 * 4);
  EXPECT(r.second, 6 * 13);
}

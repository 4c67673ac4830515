// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Several directions at once: how shadows are given, and what is returned. */
// shows: enzyme_width; enzyme_dupv; enzyme_dupnoneedv; enzyme_interleave
// reals: double
// differences: none
#include "cases.h"

extern int enzyme_width, enzyme_dupv, enzyme_dupnoneedv, enzyme_interleave;
extern int enzyme_strong_zero, enzyme_runtime_activity;

typedef struct {
  double x, y;
} Two;
typedef struct {
  double x, y, z;
} Three;
typedef struct {
  double primal;
  Two tangents;
} PrimalAndTwo;
typedef struct {
  Two x, y;
} TwoOfTwo;
typedef struct {
  Three x, y;
} TwoOfThree;
typedef struct {
  double value;
  float weight;
} Mixed;
typedef struct {
  Mixed x, y;
} TwoMixed;
typedef double Four __attribute__((vector_size(32)));
typedef struct {
  void *tape;
  double primal;
} TapeAndResult;

extern double __enzyme_fwddiff_one(void *, ...);
extern Two __enzyme_fwddiff_two(void *, ...);
extern Three __enzyme_fwddiff_three(void *, ...);
extern PrimalAndTwo __enzyme_fwddiff_primal(void *, ...);
extern TwoOfThree __enzyme_fwddiff_structs(void *, ...);
extern TwoMixed __enzyme_fwddiff_mixed(void *, ...);
extern void __enzyme_fwddiff_void(void *, ...);
extern Two __enzyme_autodiff_two(void *, ...);
extern TwoOfTwo __enzyme_autodiff_two_of_two(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);
extern TapeAndResult __enzyme_augmentfwd(void *, ...);
extern Two __enzyme_reverse_two(void *, ...);
extern void __enzyme_reverse_void(void *, ...);

static double cube(double x) { return x * x * x; }
static double product(double x, double y) { return x * y; }
static void squares(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] + (i ? y[i - 1] : 0);
}
static double sum_of_squares(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s;
}
static Three powers(double x) { return (Three){x, x * x, x * x * x}; }
static Mixed mixed(double x) { return (Mixed){x * x, (float)(3 * x)}; }
static double first_of(Three s) { return s.x * s.y * s.z; }
static Four scaled(Four v, double x) { return v * x; }
static double lanes_of(double x) {
  Four v = {1, 2, 3, 4};
  v = scaled(v, x * x);
  return v[0] + v[3] * v[1];
}

CHECK(one_direction) { EXPECT(__enzyme_fwddiff_one((void *)cube, enzyme_width, 1, 2.0, 1.0), 12); }

CHECK(results_of_forward_mode) {
  Two t = __enzyme_fwddiff_two((void *)cube, enzyme_width, 2, enzyme_dup, 2.0, 1.0, 3.0);
  EXPECT(t.x, 12);
  EXPECT(t.y, 36);
  PrimalAndTwo p =
      __enzyme_fwddiff_primal((void *)cube, enzyme_primal_return, enzyme_width, 2, 2.0, 1.0, 3.0);
  EXPECT(p.primal, 8);
  EXPECT(p.tangents.x, 12);
  EXPECT(p.tangents.y, 36);
  t = __enzyme_fwddiff_two((void *)product, enzyme_width, 2, enzyme_dup, 2.0, 1.0, 0.0,
                           enzyme_const, 5.0);
  EXPECT(t.x, 5);
  EXPECT(t.y, 0);
}

CHECK(structs_of_forward_mode) {
  TwoOfThree t = __enzyme_fwddiff_structs((void *)powers, enzyme_width, 2, 2.0, 1.0, 3.0);
  EXPECT(t.x.x, 1);
  EXPECT(t.x.z, 12);
  EXPECT(t.y.y, 12);
  EXPECT(t.y.z, 36);
  TwoMixed m = __enzyme_fwddiff_mixed((void *)mixed, enzyme_width, 2, 2.0, 1.0, 3.0);
  EXPECT(m.x.value, 4);
  EXPECT(m.x.weight, 3);
  EXPECT(m.y.value, 12);
  EXPECT(m.y.weight, 9);
  Three s = {2, 3, 5}, d = {1, 0, 0}, e = {0, 1, 1};
  Two u = __enzyme_fwddiff_two((void *)first_of, enzyme_width, 2, enzyme_dup, s, d, e);
  EXPECT(u.x, 15);
  EXPECT(u.y, 16);
}

CHECK(vectors) {
  Two t = __enzyme_fwddiff_two((void *)lanes_of, enzyme_width, 2, 2.0, 1.0, -1.0);
  EXPECT(t.x, 4 + 8 * 4 * 8);
  EXPECT(t.y, -(4 + 8 * 4 * 8));
  t = __enzyme_autodiff_two((void *)lanes_of, enzyme_width, 2, 2.0);
  EXPECT(t.x, 4 + 8 * 4 * 8);
  EXPECT(t.y, 4 + 8 * 4 * 8);
}

CHECK(shadows_one_by_one) {
  double x[2] = {2, 3}, dx[2] = {1, 0}, ex[2] = {0, 1}, y[2], dy[2], ey[2];
  __enzyme_fwddiff_void((void *)squares, enzyme_width, 2, 2, enzyme_dup, x, dx, ex, enzyme_dup, y,
                        dy, ey);
  EXPECT(y[1], 13);
  EXPECT(dy[0], 4);
  EXPECT(dy[1], 4);
  EXPECT(ey[0], 0);
  EXPECT(ey[1], 6);
}

CHECK(shadows_at_a_distance) {
  double x[2] = {2, 3}, dx[4] = {1, 0, 0, 1}, y[2], dy[6] = {7, 7, 7, 7, 7, 7};
  size_t apart = 3 * sizeof(double);
  __enzyme_fwddiff_void((void *)squares, enzyme_width, 2, 2, enzyme_dupv, 2 * sizeof(double), x, dx,
                        enzyme_dupv, apart, y, dy);
  EXPECT(dy[0], 4);
  EXPECT(dy[1], 4);
  EXPECT(dy[2], 7);
  EXPECT(dy[3], 0);
  EXPECT(dy[4], 6);
  EXPECT(dy[5], 7);
}

static void halves(const double *x, double *y) {
  y[0] = x[0] / 2;
  y[1] = x[1] / 2;
}

CHECK(shadows_without_primal) {
  double x[2] = {2, 3}, dx[4] = {1, 0, 0, 1}, dy[4];
  double *none = NULL;
  __enzyme_fwddiff_void((void *)halves, enzyme_width, 2, enzyme_dupv, 16, x, dx, enzyme_dupnoneedv,
                        16, none, dy);
  EXPECT(dy[0], 0.5);
  EXPECT(dy[1], 0);
  EXPECT(dy[3], 0.5);
}

CHECK(shadows_behind_all_arguments) {
  double x[2] = {2, 3}, dx[2] = {1, 0}, ex[2] = {0, 1}, y[2], dy[2], ey[2];
  __enzyme_fwddiff_void((void *)squares, enzyme_width, 2, enzyme_const, 2, enzyme_dup, x, y,
                        enzyme_interleave, dx, ex, dy, ey);
  EXPECT(dy[1], 4);
  EXPECT(ey[1], 6);
  __enzyme_fwddiff_void((void *)squares, 2, x, y, enzyme_interleave, ex, dy);
  EXPECT(dy[0], 0);
  EXPECT(dy[1], 6);
  double bx[2] = {0, 0}, by[2] = {1, 1};
  __enzyme_autodiff_void((void *)squares, enzyme_const, 2, enzyme_dup, x, y, enzyme_interleave, bx,
                         by, enzyme_runtime_activity);
  EXPECT(bx[0], 8);
  EXPECT(bx[1], 6);
}

CHECK(results_of_reverse_mode) {
  Two a = __enzyme_autodiff_two((void *)cube, enzyme_width, 2, 2.0);
  EXPECT(a.x, 12);
  EXPECT(a.y, 12);
  TwoOfTwo b = __enzyme_autodiff_two_of_two((void *)product, enzyme_width, 2, 2.0, 3.0);
  EXPECT(b.x.x, 3);
  EXPECT(b.x.y, 3);
  EXPECT(b.y.x, 2);
  EXPECT(b.y.y, 2);
}

CHECK(adjoints_in_memory) {
  double x[2] = {2, 3}, bx[4] = {0}, y[2], by[4] = {1, 0, 0, 1};
  __enzyme_autodiff_void((void *)squares, enzyme_width, 2, 2, enzyme_dupv, 16, x, bx, enzyme_dupv,
                         16, y, by);
  EXPECT(bx[0], 4);
  EXPECT(bx[1], 0);
  EXPECT(bx[2], 4);
  EXPECT(bx[3], 6);
  EXPECT(by[0] + by[1] + by[2] + by[3], 0);
}

CHECK(split_reverse_mode) {
  TapeAndResult t = __enzyme_augmentfwd((void *)cube, enzyme_width, 2, 2.0);
  EXPECT(t.primal, 8);
  Two a = __enzyme_reverse_two((void *)cube, enzyme_width, 2, 2.0, 1.0, 3.0, t.tape);
  EXPECT(a.x, 12);
  EXPECT(a.y, 36);
  double x[2] = {2, 3}, bx[2] = {0}, cx[2] = {1, 1};
  t = __enzyme_augmentfwd((void *)sum_of_squares, enzyme_width, 2, x, bx, cx, 2);
  x[0] = x[1] = 0;
  __enzyme_reverse_void((void *)sum_of_squares, enzyme_width, 2, x, bx, cx, 2, 1.0, -1.0, t.tape);
  EXPECT(bx[0], 4);
  EXPECT(bx[1], 6);
  EXPECT(cx[0], -3);
  EXPECT(cx[1], -5);
}

static double quotient(double x, double y) { return x / y * y; }

CHECK(zeros_stay_zero) {
  Two t = __enzyme_fwddiff_two((void *)quotient, enzyme_strong_zero, enzyme_width, 2, 1.0, 0.0, 1.0,
                               0.0, 0.0, 0.0);
  EXPECT(t.x, 0);
}

static double dot(const double *x, const double *y) { return x[0] * y[0] + x[1] * y[1]; }

CHECK(own_shadow_in_one_direction) {
  double x[2] = {2, 3}, dx[2] = {1, 0}, y[2] = {5, 7}, ey[2] = {0, 1};
  Two t = __enzyme_fwddiff_two((void *)dot, enzyme_runtime_activity, enzyme_width, 2, x, dx, x, y,
                               y, ey);
  EXPECT(t.x, 5);
  EXPECT(t.y, 3);
}

static double slope(double x, double y) {
  return __enzyme_fwddiff_one((void *)product, x, 1.0, y, 2.0) * y;
}

CHECK(of_derivatives) {
  Two t = __enzyme_fwddiff_two((void *)slope, enzyme_width, 2, 3.0, 1.0, 0.0, 5.0, 0.0, 1.0);
  EXPECT(t.x, 10);
  EXPECT(t.y, 16);
}

static double slope_of_two(double x) {
  Two t = __enzyme_fwddiff_two((void *)cube, enzyme_width, 2, x, 1.0, x);
  return t.x + t.y;
}

CHECK(nested_directions) {
  Three t = __enzyme_fwddiff_three((void *)slope_of_two, enzyme_width, 3, 2.0, 1.0, 2.0, -1.0);
  EXPECT(t.x, 12 + 36);
  EXPECT(t.y, 2 * (12 + 36));
  EXPECT(t.z, -(12 + 36));
}

extern double __enzyme_autodiff_one(void *, ...);
static double gradient_of_cube(double x) { return __enzyme_autodiff_one((void *)cube, x); }

CHECK(of_gradients) {
  Two t = __enzyme_fwddiff_two((void *)gradient_of_cube, enzyme_width, 2, 2.0, 1.0, 0.5);
  EXPECT(t.x, 12);
  EXPECT(t.y, 6);
}

/* --- A derivative of the program's, wrong on purpose --- */

static double own(double x, double y) { return x * y; }
static double own_forward(double x, double dx, double y, double dy) {
  return 10 * y * dx + 100 * x * dy;
}
static Two own_augmented(double x, double y) {
  Two tape_and_result = {y, x * y};
  return tape_and_result;
}
static Two own_reverse(double x, double y, double seed, double tape) {
  (void)y;
  Two adjoints = {10 * seed * tape, 100 * seed * x};
  return adjoints;
}
void *__enzyme_register_derivative_own[] = {(void *)own, (void *)own_forward};
void *__enzyme_register_gradient_own[] = {(void *)own, (void *)own_augmented, (void *)own_reverse};
static double of_own(double x, double y) { return own(x, y) * x; }
static void both_ways(const double *x, double *y) {
  y[0] = own(x[0], x[1]);
  y[1] = 2 * own(x[1], x[0]);
}

extern TwoOfTwo __enzyme_autodiff_own(void *, ...);
extern void __enzyme_autodiff_both_ways(void *, ...);

CHECK(own_derivative) {
  Two t = __enzyme_fwddiff_two((void *)of_own, enzyme_width, 2, enzyme_dup, 2.0, 1.0, 0.0,
                               enzyme_dup, 3.0, 0.0, 1.0);
  EXPECT(t.x, 6 + 10 * 3 * 2);
  EXPECT(t.y, 100 * 2 * 2);
  TwoOfTwo a =
      __enzyme_autodiff_own((void *)of_own, enzyme_width, 2, enzyme_out, 2.0, enzyme_out, 3.0);
  EXPECT(a.x.x, 6 + 10 * 3 * 2);
  EXPECT(a.x.y, 6 + 10 * 3 * 2);
  EXPECT(a.y.y, 100 * 2 * 2);
  double x[2] = {2, 3}, dx[2][2] = {{0, 0}, {0, 0}}, y[2], dy[2][2] = {{1, 0}, {0, 1}};
  __enzyme_autodiff_both_ways((void *)both_ways, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1],
                              enzyme_dup, y, dy[0], dy[1]);
  EXPECT(dx[0][0], 10 * 3);
  EXPECT(dx[0][1], 100 * 2);
  EXPECT(dx[1][0], 2 * 100 * 3);
  EXPECT(dx[1][1], 2 * 10 * 2);
}

/* --- Globals with a shadow of the program's: one for each direction, one after the other --- */

typedef struct {
  double weight[2];
  float bias;
} Layer;
static double state, d_state[2];
static Layer layer, d_layer[2];
void *__enzyme_shadow_global_state[] = {&state, d_state, &layer, d_layer};
static NOINLINE void raise_state(double x) { state *= x; }
static double of_globals(double x) {
  raise_state(x);
  return state * layer.weight[1] * layer.bias;
}
static void set_globals(void) {
  state = 3;
  layer = (Layer){{1, 5}, 7};
  memset(d_state, 0, sizeof d_state);
  memset(d_layer, 0, sizeof d_layer);
}

CHECK(shadows_of_globals) {
  set_globals();
  d_state[1] = 1;
  d_layer[0].weight[1] = 1;
  d_layer[1].bias = 1;
  Two t = __enzyme_fwddiff_two((void *)of_globals, enzyme_width, 2, 2.0, 1.0, 0.0);
  EXPECT(t.x, 3 * 35 + 6 * 7);
  EXPECT(t.y, 2 * 35 + 6 * 5);
  EXPECT(d_state[0], 3);
  EXPECT(d_state[1], 2);
  set_globals();
  d_state[1] = 10;
  t = __enzyme_autodiff_two((void *)of_globals, enzyme_width, 2, 2.0);
  EXPECT(t.x, 3 * 35);
  EXPECT(t.y, 3 * 45);
  EXPECT(d_state[0], 2 * 35);
  EXPECT(d_state[1], 2 * 45);
  EXPECT(d_layer[0].weight[1], 6 * 7);
  EXPECT(d_layer[1].bias, 6 * 5);
}

/* Products of neighbours, by way of two arrays. */
static void neighbours(int n, const double *x, double *y) {
  double here[5], sum = 0;
  double *there = (double *)malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    here[(i + 1) % 5] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    there[i] = here[i % 5] * x[i];
  for (int i = 0; i < n; i++)
    sum += there[i] * here[(i + 2) % 5];
  *y = sum;
  free(there);
}

static void gradient_by(int width, const double *x, double *gradient) {
  double directions[25] = {0}, y = 0;
  for (int i = 0; i < 5; i++)
    directions[6 * i] = 1;
  if (width == 5)
    __enzyme_fwddiff_void((void *)neighbours, enzyme_width, 5, enzyme_const, 5, enzyme_dupv,
                          5 * sizeof(double), x, directions, enzyme_dupnoneedv, sizeof(double), &y,
                          gradient);
  else
    for (int i = 0; i < 5; i++)
      __enzyme_fwddiff_void((void *)neighbours, enzyme_const, 5, enzyme_dup, x, directions + 5 * i,
                            enzyme_dupnoneed, &y, gradient + i);
}
static void gradient_by_five(const double *x, double *gradient) { gradient_by(5, x, gradient); }
static void gradient_by_one(const double *x, double *gradient) { gradient_by(1, x, gradient); }

static void expect_five(const double *got, const double *wanted) {
  for (int i = 0; i < 5; i++)
    EXPECT(got[i], wanted[i]);
}

CHECK(as_one_by_one) {
  double x[5] = {1, -2, 0.5, 3, 0.25}, five[5], one[5];
  gradient_by_five(x, five);
  gradient_by_one(x, one);
  expect_five(five, one);
}

/* Second derivatives: in two directions at once of what is done in five at once, and back. */
CHECK(of_the_derivative) {
  double x[5] = {1, -2, 0.5, 3, 0.25}, unused[5];
  double dx[2][5] = {{1, 0, 2, 0, 0}, {0, 0.5, 0, 1, -1}};
  double five[2][5], one[2][5], back[5] = {0}, forth[5] = {0}, seed[5] = {1, 2, 0, -1, 3};
  __enzyme_fwddiff_void((void *)gradient_by_five, enzyme_width, 2, enzyme_dup, x, dx[0], dx[1],
                        enzyme_dup, unused, five[0], five[1]);
  for (int i = 0; i < 2; i++)
    __enzyme_fwddiff_void((void *)gradient_by_one, enzyme_dup, x, dx[i], enzyme_dup, unused,
                          one[i]);
  expect_five(five[0], one[0]);
  expect_five(five[1], one[1]);
  __enzyme_autodiff_void((void *)gradient_by_five, enzyme_dup, x, back, enzyme_dup, unused, seed);
  double again[5] = {1, 2, 0, -1, 3};
  __enzyme_autodiff_void((void *)gradient_by_one, enzyme_dup, x, forth, enzyme_dup, unused, again);
  expect_five(back, forth);
}

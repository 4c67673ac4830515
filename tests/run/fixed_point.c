// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops to a fixed point; the reference differentiates all iterations of the plain loop. */
// shows: __enzyme_fixed_point; enzyme_fp_state; enzyme_fp_reduction; enzyme_fp_max_iters
// shows: enzyme_fp_control; <enzyme/fixed_point.h>
// load: -fplugin
// differences: none
// split: none
// lto: none
#include "cases.h"

#if defined(__cplusplus) && !defined(NB_SUBJECT)
template<typename Step, typename... Arguments> static void solve(Step step,
                                                                 Arguments... arguments) {
  for (int64_t i = 0; step(i, arguments...); i++)
    ;
}
#define SOLVE(step, at, bytes, ...) solve(step, __VA_ARGS__)
#define SOLVE_BOTH(step, at, bytes, too, more, ...) solve(step, __VA_ARGS__)
#define SOLVE_GIVEN(step, at, bytes, region, size, ...) solve(step, __VA_ARGS__)
#else
#include <enzyme/fixed_point.h>
#define REDUCTION enzyme_fp_reduction, sizeof(real) == 4 ? 1e-15 : 1e-30
#define SOLVE(step, at, bytes, ...)                                                                \
  __enzyme_fixed_point((void *)step, enzyme_fp_state, at, (int64_t)(bytes), REDUCTION, __VA_ARGS__)
#define SOLVE_BOTH(step, at, bytes, too, more, ...)                                                \
  __enzyme_fixed_point((void *)step, REDUCTION, enzyme_fp_max_iters, (int64_t)300,                 \
                       enzyme_fp_state, at, (int64_t)(bytes), enzyme_fp_state, too,                \
                       (int64_t)(more), __VA_ARGS__)
#define SOLVE_GIVEN(step, at, bytes, region, size, ...)                                            \
  __enzyme_fixed_point((void *)step, enzyme_checkpoint_region, region, (int64_t)(size),            \
                       enzyme_fp_state, at, (int64_t)(bytes), REDUCTION, __VA_ARGS__)
#endif

/* Derivatives come later to an end than the numbers do. */
enum { ROUNDS = 80 };

/* --- What is iterated --- */

NOINLINE static int relax(int64_t i, real *u, const real *p, int n) {
  real old[3];
  for (int k = 0; k < n; k++)
    old[k] = u[k];
  for (int k = 0; k < n; k++)
    u[k] = (real)0.25 * sin(old[k] + (real)0.5 * old[(k + 1) % n]) + p[k] * p[k];
  return i < ROUNDS;
}
MAP(an_array, 3, 2, 0.5, -1.0, 2.0) {
  real u[3] = {0, 0, 0};
  SOLVE(relax, u, sizeof u, u, x, n);
  y[0] = u[0] * u[1] + u[2];
  y[1] = sin(u[1]);
}
MAP(parameters_that_change_behind, 3, 1, 0.5, -1.0, 2.0) {
  real u[3] = {1, 2, 3}, p[3] = {x[0], x[1] * x[2], x[2]};
  SOLVE(relax, u, sizeof u, u, p, n);
  p[0] *= u[1];
  u[0] *= u[0];
  y[0] = u[0] * p[0] + u[2] * p[1];
}
MAP(on_the_heap, 3, 1, 0.5, -1.0, 2.0) {
  real *u = (real *)calloc((size_t)n, sizeof(real));
  SOLVE(relax, u, (size_t)n * sizeof(real), u, x, n);
  y[0] = u[0] * u[1] + u[2];
  free(u);
}

/* The initial guess has an influence on the way alone. */
MAP(begins_anywhere, 3, 1, 0.5, -1.0, 2.0) {
  real u[3] = {x[1], x[2] * x[0], x[0]};
  SOLVE(relax, u, sizeof u, u, x, n);
  y[0] = u[0] * u[1] + u[2];
}

/* What a step writes besides. */
NOINLINE static int relax_and_tell(int64_t i, real *u, const real *p, real *told, int n) {
  real old[3];
  for (int k = 0; k < n; k++)
    old[k] = u[k];
  int more = relax(i, u, p, n);
  for (int k = 0; k < n; k++)
    told[k] = u[k] * old[(k + 1) % n] + p[k];
  return more;
}
MAP(results_besides, 3, 1, 0.5, -1.0, 2.0) {
  real u[3] = {0, 0, 0}, told[3] = {x[0], x[1], x[2]};
  SOLVE(relax_and_tell, u, sizeof u, u, x, told, n);
  y[0] = told[0] * told[1] + told[2] * u[0];
}

/* A state that is not named. */
NOINLINE static int relax_two(int64_t i, real *u, real *v, real a) {
  real old = *u, was = *v;
  *u = (real)0.5 * cos(was) + a;
  *v = (real)0.25 * old * was + a * a;
  return i < ROUNDS;
}
MAP(the_other_half, 1, 1, 0.5) {
  real u = 0, v = 0;
  SOLVE(relax_two, &u, sizeof u, &u, &v, x[0]);
  y[0] = u * v;
}
MAP(two_states, 1, 1, 0.5) {
  real u = 0, v = 0;
  SOLVE_BOTH(relax_two, &u, sizeof u, &v, sizeof v, &u, &v, x[0] * x[0]);
  y[0] = u * v;
}

/* Numbers of two formats, and others. */
typedef struct {
  double wide;
  int steps;
  real narrow[2];
} Mixed;
NOINLINE static int relax_mixed(int64_t i, Mixed *m, const real *p) {
  real old = m->narrow[0], was = m->narrow[1];
  m->narrow[0] = (real)0.25 * was * old + p[0];
  m->narrow[1] = (real)0.5 * sin(old) * p[1];
  m->steps++;
  return i < ROUNDS;
}
MAP(a_struct, 2, 1, 0.5, 0.75) {
  Mixed m = {1, 0, {0, 0}};
  SOLVE(relax_mixed, &m, sizeof m, &m, x);
  y[0] = m.narrow[0] * m.narrow[1] * (m.steps > 1 ? 2 : 1);
}

/* Newton's iteration ends where its derivative in the state is zero. */
NOINLINE static int newton(int64_t i, real *z, real a) {
  real next = (2 * *z + a / (*z * *z)) / 3, change = next - *z;
  *z = next;
  return i < 8 || (VALUE(change * change) > 0 && i < ROUNDS);
}
MAP(a_root, 1, 1, 3.5) {
  real z = 1;
  SOLVE(newton, &z, sizeof z, &z, x[0] * x[0] + 1);
  y[0] = z * z;
}

/* --- Memory --- */

static real shared[3], parameters[3];
NOINLINE static int relax_shared(int64_t i, int n) { return relax(i, shared, parameters, n); }
MAP(in_globals, 3, 1, 0.5, -1.0, 2.0) {
  for (int k = 0; k < 3; k++) {
    shared[k] = 0;
    parameters[k] = x[k];
  }
  SOLVE(relax_shared, shared, sizeof shared, n);
  real sum = shared[0] * shared[1] + parameters[2] * shared[2];
  for (int k = 0; k < 3; k++)
    shared[k] *= sum;
  y[0] = sum + shared[0];
}

/* What is named lies before what a step is given. */
NOINLINE static int relax_before(int64_t i, real *u, const real *p, int n) {
  for (int k = 0; k < n; k++)
    u[-k] = (real)0.25 * sin(u[-((k + 1) % n)]) + p[k] * p[k];
  return i < ROUNDS;
}
MAP(before_the_pointer, 3, 1, 0.5, -1.0, 2.0) {
  real u[3] = {0, 0, 0};
  SOLVE(relax_before, u, sizeof u, &u[2], x, n);
  y[0] = u[0] * u[1] + u[2];
}

/* How much is written cannot be seen. */
NOINLINE static int relax_some(int64_t i, real *u, const real *p, const int *at, int n) {
  for (int k = 0; k < n; k++)
    u[at[k]] = (real)0.25 * sin(u[at[(k + 1) % n]]) + p[k] * p[k];
  return i < ROUNDS;
}
static const int places[] = {4, 1, 2};
MAP(at_places, 3, 1, 0.5, -1.0, 2.0) {
  real u[5] = {0, 0, 0, 0, 0};
  SOLVE(relax_some, u, sizeof u, u, x, places, n);
  y[0] = u[4] * u[1] + u[2];
}
MAP(a_region, 3, 1, 0.5, -1.0, 2.0) {
  real u[5] = {0, 0, 0, 0, 0};
  SOLVE_GIVEN(relax_some, &u[1], 2 * sizeof(real), u, sizeof u, u, x, places, n);
  y[0] = u[4] * u[1] + u[2];
}

/* --- Where the loop stands --- */

/* Implicit steps, each solved by itself. */
NOINLINE static int implicit(int64_t i, real *z, real before, real rate) {
  *z = before - rate * sin(*z);
  return i < ROUNDS;
}
MAP(in_a_loop, 2, 1, 2.0, 0.25) {
  real now = x[0];
  for (int k = 0; k < 6; k++) {
    real next = now;
    SOLVE(implicit, &next, sizeof next, &next, now, x[1]);
    now = next;
  }
  y[0] = now * x[1];
}
NOINLINE static real root(real a) {
  real z = 1;
  SOLVE(newton, &z, sizeof z, &z, a);
  return z;
}
MAP(in_a_helper, 2, 1, 3.5, 2.0) { y[0] = root(x[0] + 1) * root(x[1] * x[0] + 2); }
MAP(where_a_branch_leads, 2, 1, 3.5, 2.0) {
  real z = x[0];
  if (VALUE(x[1]) > 0)
    SOLVE(newton, &z, sizeof z, &z, x[1] + 1);
  if (VALUE(x[1]) < 0)
    SOLVE(newton, &z, sizeof z, &z, x[0] + 1);
  y[0] = z * x[0];
}

/* A step that solves something itself. */
NOINLINE static int outer(int64_t i, real *u, real a) {
  real z = 1;
  SOLVE(newton, &z, sizeof z, &z, a + *u * *u);
  *u = (real)0.5 * z;
  return i < ROUNDS;
}
MAP(in_each_other, 1, 1, 2.0) {
  real u = 0;
  SOLVE(outer, &u, sizeof u, &u, x[0] + 1);
  y[0] = u * x[0];
}

#if !defined(__cplusplus) || defined(NB_SUBJECT)
/* --- When it ends --- */

extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern int enzyme_width;

static int asked;
static double begin;
NOINLINE static int three_times(double *sum, double *reduction) {
  if (asked == 0)
    begin = *sum;
  return asked++ < 3;
}
NOINLINE static int halve(int64_t i, double *z, double a) {
  *z = 0.5 * *z + a;
  return i < 60;
}
NOINLINE static void halves(double *z, double a, int64_t limit, double *out) {
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, z, (int64_t)sizeof *z, enzyme_fp_max_iters,
                       limit, z, a);
  *out = *z;
}
NOINLINE static void controlled(double *z, double a, double *out) {
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, z, (int64_t)sizeof *z, enzyme_fp_control,
                       three_times, z, a);
  *out = *z;
}

/* The sum of so many terms of 1 + 1/2 + 1/4 + ... */
CHECK(as_often_as_said) {
  for (int64_t limit = 1; limit < 6; limit++) {
    double z = 0, dz = 0, out, dout = 1;
    double da = __enzyme_autodiff((void *)halves, enzyme_dup, &z, &dz, enzyme_out, 1.0,
                                  enzyme_const, limit, enzyme_dup, &out, &dout);
    EXPECT(da, 2 - pow(0.5, (double)limit - 1));
    EXPECT(dz, 0);
    EXPECT(z, 2);
  }
}
CHECK(a_function_that_decides) {
  double z = 0, dz = 0, out, dout = 1;
  asked = 0;
  double da = __enzyme_autodiff((void *)controlled, enzyme_dup, &z, &dz, enzyme_out, 1.0,
                                enzyme_dup, &out, &dout);
  EXPECT(da, 1.75);
  EXPECT((double)asked, 4);
  EXPECT(begin, -1);
  z = 0, dz = 7, dout = 0, asked = 0;
  __enzyme_fwddiff((void *)controlled, enzyme_dup, &z, &dz, enzyme_dup, 1.0, 1.0, enzyme_dup, &out,
                   &dout);
  EXPECT(dout, 1.75);
  EXPECT(dz, 1.75);
  EXPECT((double)asked, 4);
}
CHECK(any_number) {
  double z = 0, dz = 0, out, dout = 1;
  double da = __enzyme_autodiff((void *)halves, enzyme_dup, &z, &dz, enzyme_out, 1.0, enzyme_const,
                                (int64_t)0, enzyme_dup, &out, &dout);
  EXPECT(fabs(da - 2) < 1e-5, 1);
}

/* --- Other derivatives --- */

NOINLINE static void halves_on(double a, double *y) {
  double z = 0;
  __enzyme_fixed_point((void *)halve, enzyme_fp_state, &z, (int64_t)sizeof z, enzyme_fp_reduction,
                       1e-30, &z, a * a);
  *y = z;
}
CHECK(split_mode) {
  double y, dy = 1;
  void *tape = __enzyme_augmentfwd((void *)halves_on, enzyme_out, 3.0, enzyme_dup, &y, &dy);
  EXPECT(y, 18);
  EXPECT(__enzyme_reverse((void *)halves_on, enzyme_out, 3.0, enzyme_dup, &y, &dy, tape), 12);
}
CHECK(two_directions) {
  double y, dy[2] = {0, 0};
  __enzyme_fwddiff((void *)halves_on, enzyme_width, 2, enzyme_dup, 3.0, 1.0, 2.0, enzyme_dup, &y,
                   &dy[0], &dy[1]);
  EXPECT(dy[0], 12);
  EXPECT(dy[1], 24);
}
#endif

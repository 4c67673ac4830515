// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Checkpointed loops that end where a step says so; the reference runs the plain loop. */
// shows: __enzyme_checkpoint_while
// load: -fplugin
// differences: none
// split: none
// lto: none
#include "cases.h"

#if defined(__cplusplus) && !defined(NB_SUBJECT)
template<typename Step, typename... Arguments> static void repeat(Step step,
                                                                  Arguments... arguments) {
  for (int64_t i = 0; step(i, arguments...); i++)
    ;
}
template<typename Step, typename... Arguments> static void times(Step step, int64_t count,
                                                                 Arguments... arguments) {
  for (int64_t i = 0; i < count; i++)
    step(i, arguments...);
}
#define LOOP(step, scheme, slots, ...) repeat(step, __VA_ARGS__)
#define REGION_LOOP(step, at, bytes, ...) repeat(step, __VA_ARGS__)
#define NUMBER_OF_STEPS(step, count, ...) times(step, count, __VA_ARGS__)
#else
#include <enzyme/checkpoint.h>
#define LOOP(step, scheme, slots, ...)                                                             \
  EnzymeCkptConfig config = {.snapshots = slots};                                                  \
  __enzyme_checkpoint_while((void *)step, enzyme_scheme, &scheme, &config, __VA_ARGS__)
#define REGION_LOOP(step, at, bytes, ...)                                                          \
  EnzymeCkptConfig config = {.snapshots = 3};                                                      \
  __enzyme_checkpoint_while((void *)step, enzyme_scheme, &EnzymeCkptRevolve, &config,              \
                            enzyme_checkpoint_region, at, bytes, __VA_ARGS__)
#define NUMBER_OF_STEPS(step, count, ...)                                                          \
  EnzymeCkptConfig config = {.snapshots = 2};                                                      \
  __enzyme_checkpoint_for((void *)step, 0, count, enzyme_scheme, &EnzymeCkptRevolve, &config,      \
                          __VA_ARGS__)
#endif

/* --- Under all schemes --- */

/* Time is not the state's first element: it alone decides. */
NOINLINE static int grow(int64_t i, real *x, double *time, double end, int n) {
  for (int k = 0; k < n; k++)
    x[k] += (real)0.125 * sin(x[k] + (real)0.5 * (real)(int)i);
  *time += 0.25 + 0.0625 * (double)(i % 3);
  return *time < end;
}
MAP(revolve, 3, 1, 0.5, -1.0, 2.0) {
  double time = 0;
  LOOP(grow, EnzymeCkptRevolve, 3, x, &time, 6.0, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(revolve_with_one_state, 3, 1, 0.5, -1.0, 2.0) {
  double time = 0;
  LOOP(grow, EnzymeCkptRevolve, 1, x, &time, 2.0, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(default_slots, 3, 1, 0.5, -1.0, 2.0) {
  double time = 0;
  LOOP(grow, EnzymeCkptRevolve, 0, x, &time, 12.0, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(periodic, 3, 1, 0.5, -1.0, 2.0) {
  double time = 0;
  LOOP(grow, EnzymeCkptPeriodic, 4, x, &time, 8.0, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(default_segments, 3, 1, 0.5, -1.0, 2.0) {
  double time = 0;
  LOOP(grow, EnzymeCkptPeriodic, 0, x, &time, 12.0, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(every_state, 3, 1, 0.5, -1.0, 2.0) {
  double time = 0;
  LOOP(grow, EnzymeCkptStoreAll, 0, x, &time, 4.0, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(one_step, 3, 1, 0.5, -1.0, 2.0) {
  double time = 5;
  LOOP(grow, EnzymeCkptRevolve, 2, x, &time, 4.0, n);
  y[0] = x[0] * x[1] + x[2];
}

/* --- Who decides --- */

/* The state itself does. */
NOINLINE static int shrink(int64_t i, real *x, real rate) {
  x[1] = x[1] * (real)0.75 + rate * x[0];
  x[0] = x[0] * ((real)1 - rate) + (real)0.125 * sin(x[1]);
  return VALUE(x[0] * x[0]) > 0.25;
}
MAP(until_it_is_small, 2, 1, 3.0, 0.5) {
  real rate = (real)0.0625 + (real)0.03125 * x[1] * x[1];
  LOOP(shrink, EnzymeCkptRevolve, 3, x, rate);
  y[0] = x[0] + x[1] * rate;
}

/* A step that is left in its middle: what is behind may never run, so the state is given. */
NOINLINE static int halve(int64_t i, real *x, const double *limit) {
  x[1] += x[0] * x[0];
  if (VALUE(x[0] * x[0]) < *limit || i > 20)
    return 0;
  x[0] *= (real)0.625;
  x[2] += x[1] * x[0];
  return 2;
}
static const double limit = 0.03125;
MAP(left_in_the_middle, 3, 1, 3.0, 0.5, 0.25) {
  REGION_LOOP(halve, x, 3 * sizeof(real), x, &limit);
  y[0] = x[0] + x[1] * x[2];
}

/* --- Where the loop stands --- */

/* In a step of another one, which is counted. */
NOINLINE static void outer(int64_t i, real *x, int n) {
  double time = (double)i;
  LOOP(grow, EnzymeCkptRevolve, 2, x, &time, 5.0, n);
  x[0] *= x[1];
}
MAP(in_a_step, 3, 1, 0.5, -1.0, 2.0) {
  NUMBER_OF_STEPS(outer, 7, x, n);
  y[0] = x[0] * x[1] + x[2];
}

/* Around another one. */
NOINLINE static void curve(int64_t i, real *x, int n) {
  for (int k = 0; k < n; k++)
    x[k] += (real)0.125 * sin(x[k] + (real)0.5 * (real)(int)i);
}
NOINLINE static int around(int64_t i, real *x, int n) {
  NUMBER_OF_STEPS(curve, 3, x, n);
  x[0] *= x[1];
  return i < 5;
}
MAP(around_steps, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(around, EnzymeCkptRevolve, 2, x, n);
  y[0] = x[0] * x[1] + x[2];
}

#if !defined(__cplusplus) || defined(NB_SUBJECT)
/* --- Split mode --- */

NOINLINE static int spread(int64_t i, double *restrict x, double rate) {
  x[0] += rate * x[0] * x[1];
  x[1] *= 1 + rate * (double)(int)i;
  return x[0] < 40;
}
NOINLINE static void spread_on(double *restrict x, double rate, double *restrict y) {
  double own[2] = {x[0] * x[1], x[1]};
  LOOP(spread, EnzymeCkptRevolve, 2, own, rate);
  y[0] = own[0] * own[1];
}

extern int enzyme_not_overwritten;
extern double __enzyme_autodiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);

CHECK(split_mode) {
  double x[2] = {1, 2}, dx[2] = {0, 0}, ex[2] = {0, 0}, y, dy = 1, ey = 1;
  double rate =
      __enzyme_autodiff((void *)spread_on, enzyme_dup, x, ex, enzyme_out, 0.5, enzyme_dup, &y, &ey);
  void *tape = __enzyme_augmentfwd((void *)spread_on, enzyme_dup, x, dx, enzyme_out, 0.5,
                                   enzyme_dup, &y, &dy);
  x[0] = x[1] = 0;
  EXPECT(__enzyme_reverse((void *)spread_on, enzyme_dup, x, dx, enzyme_out, 0.5, enzyme_dup, &y,
                          &dy, tape),
         rate);
  EXPECT(dx[0], ex[0]);
  EXPECT(dx[1], ex[1]);
}

/* What a run takes: no more states than were asked for, and steps near the fewest. */
NOINLINE static int count(int64_t i, double *x, int64_t most) {
  x[0] = x[0] * 0.999 + 0.0001 * x[0] * x[0];
  return i + 1 < most;
}
NOINLINE static double counted(double *x, int64_t most, EnzymeCkptConfig *config) {
  __enzyme_checkpoint_while((void *)count, enzyme_scheme, &EnzymeCkptRevolve, config, x, most);
  return x[0];
}
CHECK(steps_and_states) {
  double x = 1, d = 0;
  EnzymeCkptStats stats = {0};
  EnzymeCkptConfig config = {.snapshots = 5, .stats = &stats};
  __enzyme_autodiff((void *)counted, enzyme_dup, &x, &d, enzyme_const, (int64_t)1000, enzyme_const,
                    &config);
  EXPECT((double)stats.taped_steps, 1000);
  EXPECT((double)stats.max_slots, 5);
  EXPECT((double)stats.forward_steps, 6381);
}
#endif

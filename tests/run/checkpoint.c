// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Checkpointed loops; the reference runs the plain loop. Their tapes cannot be read twice. */
// shows: __enzyme_checkpoint_for; enzyme_scheme; enzyme_checkpoint_region
// shows: <enzyme/checkpoint.h>
// load: -fplugin
// differences: none
// split: none
// lto: none
// one-thread: aliases_and_a_global
#include "cases.h"

#if defined(__cplusplus) && !defined(NB_SUBJECT)
template<typename Step, typename... Arguments> static void
repeat(Step step, int64_t first, int64_t count, Arguments... arguments) {
  for (int64_t i = first; i < first + count; i++)
    step(i, arguments...);
}
#define LOOP(step, first, count, scheme, slots, ...) repeat(step, first, count, __VA_ARGS__)
#define REGION_LOOP(step, count, at, bytes, ...) repeat(step, 0, count, __VA_ARGS__)
#else
#include <enzyme/checkpoint.h>
#define LOOP(step, first, count, scheme, slots, ...)                                               \
  EnzymeCkptConfig config = {.snapshots = slots};                                                  \
  __enzyme_checkpoint_for((void *)step, first, count, enzyme_scheme, &scheme, &config, __VA_ARGS__)
#define REGION_LOOP(step, count, at, bytes, ...)                                                   \
  EnzymeCkptConfig config = {.snapshots = 3};                                                      \
  __enzyme_checkpoint_for((void *)step, 0, count, enzyme_scheme, &EnzymeCkptRevolve, &config,      \
                          enzyme_checkpoint_region, at, bytes, __VA_ARGS__)
#endif

/* --- Which states, under all schemes --- */

NOINLINE static void curve(int64_t i, real *x, int n) {
  for (int k = 0; k < n; k++)
    x[k] += (real)0.125 * sin(x[k] + (real)0.5 * (real)(int)i);
}
MAP(revolve, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(curve, 0, 17, EnzymeCkptRevolve, 3, x, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(revolve_with_one_state, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(curve, 5, 6, EnzymeCkptRevolve, 1, x, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(periodic, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(curve, -2, 17, EnzymeCkptPeriodic, 4, x, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(every_state, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(curve, 1, 9, EnzymeCkptStoreAll, 0, x, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(default_slots, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(curve, 0, 30, EnzymeCkptRevolve, 0, x, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(no_step, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(curve, 0, n - 3, EnzymeCkptRevolve, 2, x, n);
  y[0] = x[0] * x[1] + x[2];
}
MAP(one_step, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(curve, 4, n - 2, EnzymeCkptRevolve, 2, x, n);
  y[0] = x[0] * x[1] + x[2];
}

/* --- What belongs to the state --- */

/* Two arrays, one of which is read where the other one is written; scalars with a derivative. */
NOINLINE static void leap(int64_t i, real *x, real *v, const real *force, real width, single damp) {
  for (int k = 0; k < 4; k++)
    v[k] = v[k] * damp + width * force[k] * cos(x[k]);
  for (int k = 0; k < 4; k++)
    x[k] += width * v[3 - k];
}
MAP(two_arrays_and_scalars, 9, 1, 0.5, -1.0, 2.0, 0.25, 1.0, 0.5, -0.5, 2.0, 0.125) {
  real v[4] = {x[0], x[1] * x[8], x[2], x[3]};
  real width = x[8] * x[4];
  LOOP(leap, 0, 13, EnzymeCkptRevolve, 2, x, v, x + 4, width, (single)0.875);
  y[0] = x[0] * v[1] + x[2] * v[3];
}

/* The same memory twice, and a global that the step writes. */
static real mean;
NOINLINE static void pull(int64_t i, real *to, const real *from, int n) {
  real sum = 0;
  for (int k = 0; k < n; k++)
    sum += from[k];
  mean = mean * (real)0.5 + sum / (real)n;
  for (int k = 1; k < n; k++)
    to[k] = to[k] * (real)0.75 + mean * from[k - 1] * (real)0.25;
}
MAP(aliases_and_a_global, 4, 1, 0.5, -1.0, 2.0, 0.25) {
  mean = x[3] * x[0];
  LOOP(pull, 0, 11, EnzymeCkptRevolve, 3, x, x, n);
  y[0] = x[1] * x[2] + mean;
}

/* Memory of the function's own, freed behind the loop. */
MAP(own_memory, 3, 1, 0.5, -1.0, 2.0) {
  real *u = (real *)malloc((size_t)n * sizeof(real));
  for (int k = 0; k < n; k++)
    u[k] = x[k] * x[k];
  LOOP(curve, 0, 8, EnzymeCkptRevolve, 2, u, n);
  for (int k = 0; k < n; k++)
    y[0] += u[k] * x[k];
  free(u);
}

/* Each step writes elsewhere: all that the steps write is kept. */
NOINLINE static void record(int64_t i, real *path, real *x) {
  real next = x[0] + x[1] * path[i];
  x[1] = sin(x[0]) * x[1];
  x[0] = next;
  path[i + 1] = x[0] * x[1];
}
MAP(a_path, 2, 9, 0.5, 0.75) {
  LOOP(record, 0, 8, EnzymeCkptRevolve, 2, y, x);
  x[0] += y[8] * y[3];
}

/* Scratch memory of the step, and a loop whose length the arguments tell. */
NOINLINE static void smooth(int64_t i, real *x, int rows, int columns) {
  real *old = (real *)malloc((size_t)(rows * columns) * sizeof(real));
  memcpy(old, x, (size_t)(rows * columns) * sizeof(real));
  for (int r = 0; r < rows; r++)
    for (int c = 1; c < columns; c++)
      x[r * columns + c] = old[r * columns + c] + (real)0.25 * old[r * columns + c - 1] * old[0];
  free(old);
}
MAP(scratch_and_rows, 6, 1, 0.5, -1.0, 2.0, 0.25, 1.5, -0.5) {
  LOOP(smooth, 0, 7, EnzymeCkptRevolve, 2, x, n / 3, 3);
  y[0] = x[1] * x[2] + x[4] * x[5];
}

/* Where a step writes depends on its data: the user says what the state is. */
NOINLINE static void scatter(int64_t i, real *x, const int *where) {
  x[where[i % 3]] = x[where[(i + 1) % 3]] * x[1] + (real)0.5;
}
static const int places[] = {2, 0, 1};
MAP(a_region_that_is_given, 3, 1, 0.5, -1.0, 2.0) {
  REGION_LOOP(scatter, 7, x, 3 * sizeof(real), x, places);
  y[0] = x[0] * x[1] + x[2];
}

/* --- Where the loop stands --- */

/* In a function that is called, and a step that calls another one. */
NOINLINE static real bend(real x) { return x - (real)0.125 * x * x * x; }
NOINLINE static void bend_all(int64_t i, real *x) {
  for (int k = 0; k < 3; k++)
    x[k] = bend(x[k]);
}
NOINLINE static real integrate(real *x, int steps) {
  LOOP(bend_all, 0, steps, EnzymeCkptRevolve, 2, x);
  return x[0] + x[1] * x[2];
}
MAP(in_a_function, 3, 1, 0.5, -0.75, 0.25) { y[0] = integrate(x, n + 4) * x[2]; }

/* Within a step. */
NOINLINE static void outer(int64_t i, real *x, int n) {
  LOOP(curve, i, 5, EnzymeCkptRevolve, 2, x, n);
  x[0] *= x[1];
}
MAP(nested, 3, 1, 0.5, -1.0, 2.0) {
  LOOP(outer, 0, 6, EnzymeCkptRevolve, 2, x, n);
  y[0] = x[0] * x[1] + x[2];
}

#if !defined(__cplusplus) || defined(NB_SUBJECT)
/* --- Split mode --- */

NOINLINE static void grow(int64_t i, double *restrict x, double rate) {
  x[0] += rate * x[0] * x[1];
  x[1] *= 1 + rate * (double)(int)i;
}
NOINLINE static void grow_on(double *restrict x, double rate, double *restrict y) {
  double own[2] = {x[0] * x[1], x[1]};
  LOOP(grow, 0, 5, EnzymeCkptRevolve, 2, own, rate);
  y[0] = own[0] * own[1];
}

extern int enzyme_not_overwritten;
extern double __enzyme_autodiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);

CHECK(split_mode) {
  double x[2] = {1, 2}, dx[2] = {0, 0}, ex[2] = {0, 0}, y, dy = 1, ey = 1;
  double rate =
      __enzyme_autodiff((void *)grow_on, enzyme_dup, x, ex, enzyme_out, 0.5, enzyme_dup, &y, &ey);
  void *tape =
      __enzyme_augmentfwd((void *)grow_on, enzyme_dup, x, dx, enzyme_out, 0.5, enzyme_dup, &y, &dy);
  x[0] = x[1] = 0;
  EXPECT(__enzyme_reverse((void *)grow_on, enzyme_dup, x, dx, enzyme_out, 0.5, enzyme_dup, &y, &dy,
                          tape),
         rate);
  EXPECT(dx[0], ex[0]);
  EXPECT(dx[1], ex[1]);
}

#endif

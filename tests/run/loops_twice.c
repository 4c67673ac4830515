// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Second derivatives through loops that keep few of their states, and through loops to a fixed
 * point: the same as those of plain loops. */
// load: -fplugin
// differences: none
// split: none
// lto: none
#include "cases.h"

#if !defined(__cplusplus) || defined(NB_SUBJECT)
#include <enzyme/checkpoint.h>
#include <enzyme/checkpoint_schedule.h>
#include <enzyme/fixed_point.h>

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

NOINLINE static void grow(int64_t i, double *u, const double *x, int n) {
  for (int k = 0; k < n; k++)
    u[k] += 0.125 * sin(u[k] * x[(k + 1) % n] + 0.5 * (double)(int)i);
}
NOINLINE static int grow_until(int64_t i, double *u, const double *x, int n) {
  grow(i, u, x, n);
  return i < 8;
}
NOINLINE static int relax(int64_t i, double *u, const double *x, int n) {
  for (int k = 0; k < n; k++)
    u[k] = 0.25 * sin(u[k] + 0.5 * u[(k + 1) % n]) + x[k] * x[k];
  return i < 60;
}
static double sum(const double *u) { return u[0] * u[1] + sin(u[2]); }

static double plain(const double *x) {
  double u[3] = {x[0], x[1], x[2]};
  for (int64_t i = 0; i < 9; i++)
    grow(i, u, x, 3);
  return sum(u);
}
static double counted(const double *x) {
  double u[3] = {x[0], x[1], x[2]};
  EnzymeCkptConfig config = {.snapshots = 3};
  __enzyme_checkpoint_for((void *)grow, 0, 9, enzyme_scheme, &EnzymeCkptRevolve, &config, u, x, 3);
  return sum(u);
}
static double until(const double *x) {
  double u[3] = {x[0], x[1], x[2]};
  EnzymeCkptConfig config = {.snapshots = 3};
  __enzyme_checkpoint_while((void *)grow_until, enzyme_scheme, &EnzymeCkptPeriodic, &config, u, x,
                            3);
  return sum(u);
}
static double marked(const double *x) {
  double u[3] = {x[0], x[1], x[2]};
  for (int64_t i = 0; i < 9; i++) {
    __enzyme_set_checkpointing(ENZYME_CKPT_SCHEDULE_REVOLVE, 3);
    grow(i, u, x, 3);
  }
  return sum(u);
}
static double relaxed(const double *x) {
  double u[3] = {0, 0, 0};
  for (int64_t i = 0; relax(i, u, x, 3); i++)
    ;
  return sum(u);
}
static double fixed(const double *x) {
  double u[3] = {0, 0, 0};
  __enzyme_fixed_point((void *)relax, enzyme_fp_state, u, (int64_t)sizeof u, enzyme_fp_reduction,
                       1e-30, u, x, 3);
  return sum(u);
}

/* The gradient, and the Hessian times (1, 2, 3): forward over reverse, reverse over reverse,
 * reverse over forward. */
typedef struct {
  double gradient[3], products[3][3];
} Second;

#define SECOND(function)                                                                           \
  NOINLINE static void function##_gradient(const double *x, double *d) {                           \
    __enzyme_autodiff((void *)function, enzyme_dup, x, d);                                         \
  }                                                                                                \
  NOINLINE static void function##_along(const double *x, const double *v, double *y) {             \
    *y = __enzyme_fwddiff((void *)function, enzyme_dup, x, v);                                     \
  }                                                                                                \
  NOINLINE static void function##_second(Second *all) {                                            \
    double x[3] = {0.5, -1, 2}, v[3] = {1, 2, 3}, d[3] = {0, 0, 0}, w[3] = {1, 2, 3};              \
    double y, one = 1;                                                                             \
    function##_gradient(x, all->gradient);                                                         \
    __enzyme_fwddiff((void *)function##_gradient, enzyme_dup, x, v, enzyme_dup, d,                 \
                     all->products[0]);                                                            \
    __enzyme_autodiff((void *)function##_gradient, enzyme_dup, x, all->products[1], enzyme_dup, d, \
                      w);                                                                          \
    __enzyme_autodiff((void *)function##_along, enzyme_dup, x, all->products[2], enzyme_const, v,  \
                      enzyme_dup, &y, &one);                                                       \
  }
SECOND(plain)
SECOND(counted)
SECOND(until)
SECOND(marked)
SECOND(relaxed)
SECOND(fixed)

static void same(void (*found)(Second *), void (*expected)(Second *)) {
  Second one = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, other = one;
  found(&one);
  expected(&other);
  for (int k = 0; k < 3; k++)
    EXPECT(one.gradient[k], other.gradient[k]);
  for (int way = 0; way < 3; way++)
    for (int k = 0; k < 3; k++)
      EXPECT(one.products[way][k], other.products[0][k]);
}

CHECK(counted_steps) { same(counted_second, plain_second); }
CHECK(steps_until) { same(until_second, plain_second); }
CHECK(marked_steps) { same(marked_second, plain_second); }
CHECK(to_a_fixed_point) { same(fixed_second, relaxed_second); }
CHECK(all_ways_agree) { same(plain_second, plain_second); }
#endif

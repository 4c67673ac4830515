// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Compares derivatives with the true ones: the part that is equal in all tests made from rules.
 * The truth is an extrapolated central difference of the same function in long double (Ridders,
 * "Accurate computation of F'(x) and F'(x) F''(x)", 1982), where its own error estimate is small;
 * points at which it is not (kinks, jumps, the border) are replaced by others. */
#ifndef NABLA_RULETEST_H
#define NABLA_RULETEST_H

#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "faddeeva.h"
#include "pairs.h"
#include "standins.h"

double __nabla_polygamma(int order, double x);
float __nabla_polygammaf(int order, float x);
double __nabla_stirling(int order, double x);
double __nabla_erfcx(int order, double x);
double __nabla_exp_of_square(int imaginary, double x, double y);
double __nabla_dawson(int order, double x);
double __nabla_zeta(int order, double s);
double __nabla_gamma_density(double a, double x);
double __nabla_gamma_inc(double a, double x);
double __nabla_round(double x, int exponent, int significand);
double __nabla_round_add(double x, double y, int exponent, int significand);
double __nabla_round_sub(double x, double y, int exponent, int significand);
double __nabla_round_mul(double x, double y, int exponent, int significand);
double __nabla_round_div(double x, double y, int exponent, int significand);
double __nabla_raise_double(double x, int n);
float __nabla_raise_float(float x, int n);
double __nabla_exponent_double(double x, int n);
float __nabla_exponent_float(float x, int n);
double __nabla_overwrite_double(double x, int count, int end);
float __nabla_overwrite_float(float x, int count, int end);

/* What is left of the sum over all k of order! / (x + k)^(order + 1), for x of at least 200, by
 * Euler and Maclaurin. For order 0 the sum is that of psi, with its sign turned. */
static inline long double nb_polygamma_rest(int order, long double x) {
  long double n = order, s = 1 / (x * x);
  long double fourth = (n + 1) * (n + 2) * (n + 3) / 720;
  long double sixth = (n + 1) * (n + 2) * (n + 3) * (n + 4) * (n + 5) / 30240;
  long double sum = 0.5L / x + ((n + 1) / 12 - (fourth - sixth * s) * s) * s;
  if (order == 0)
    return sum - logl(x);
  return tgammal(n + 1) * powl(x, -n) * (1 / n + sum);
}

/* The reference for nabla's own function in long double. */
static inline long double __nabla_polygammal(int order, long double x) {
  long double sum = 0, factor = tgammal(order + 1);
  for (; x < 200; x += 1)
    sum += factor * powl(x, -(order + 1));
  sum += nb_polygamma_rest(order, x);
  return order % 2 ? sum : -sum;
}

enum { NB_SLOTS = 8, NB_POINTS = 40, NB_TRIES = 400, NB_LEVELS = 8, NB_STARTS = 6 };

/* In which type the formulas are computed of a row in `type`. */
#ifndef NB_FORMULA
#define NB_FORMULA(type) type
#endif

/* Arguments lie between low and high. */
typedef struct NbBox {
  double low[NB_SLOTS];
  int low_k[NB_SLOTS];
  double high[NB_SLOTS];
  int high_k[NB_SLOTS];
} NbBox;

/* At the arguments v and k, the partial derivatives whose bit is in `mask` are those in `out`. */
typedef struct NbPromise {
  double v[NB_SLOTS];
  int k[NB_SLOTS];
  double out[NB_SLOTS];
  unsigned mask;
} NbPromise;

/* What is tested. `formula` gives all partial derivatives as the rule's text has them; `tangent`
 * one directional derivative and `adjoint` all partial ones, by nabla (both NULL: not tested).
 * `coarse`: the reference is not in long double. */
typedef struct NbCase {
  const char *name;
  unsigned reals, ints;
  bool narrow, coarse;
  unsigned box_count;
  const NbBox *boxes;
  unsigned promise_count;
  const NbPromise *promises;
  long double (*reference)(const long double *v, const int *k);
  void (*formula)(const double *v, double *out, const int *k);
  double (*tangent)(const double *v, const double *direction, const int *k);
  void (*adjoint)(const double *v, double *out, const int *k);
} NbCase;

/* A point, the true partial derivatives there, and how well they are known. */
typedef struct NbSample {
  double v[NB_SLOTS];
  int k[NB_SLOTS];
  long double truth[NB_SLOTS], doubt[NB_SLOTS];
} NbSample;

/* What two directions at once have in common. */
static inline double nb_equal_lanes(double first, double second) {
  bool both_nan = first != first && second != second;
  return first == second || both_nan ? first : (double)NAN;
}

static inline double nb_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* `noise` receives the rounding error of the difference. */
static inline long double nb_difference(const NbCase *c, const NbSample *s, unsigned slot,
                                        long double step, long double *noise) {
  long double v[NB_SLOTS];
  for (unsigned i = 0; i < c->reals; i++)
    v[i] = s->v[i];
  volatile long double right = s->v[slot] + step, left = s->v[slot] - step;
  v[slot] = right;
  long double above = c->reference(v, s->k);
  v[slot] = left;
  long double below = c->reference(v, s->k);
  long double epsilon = c->coarse ? 2.2e-16L : 1.1e-19L;
  *noise = epsilon * (fabsl(above) + fabsl(below)) / (right - left);
  return (above - below) / (right - left);
}

/* The derivative from steps step, step / 2, step / 4, ...; `doubt` receives the error estimate. */
static inline long double nb_extrapolate(const NbCase *c, const NbSample *s, unsigned slot,
                                         long double step, long double *doubt) {
  long double old[NB_LEVELS], row[NB_LEVELS], best = 0;
  *doubt = HUGE_VALL;
  for (unsigned level = 0; level < NB_LEVELS; level++, step /= 2) {
    long double factor = 4, noise;
    row[0] = nb_difference(c, s, slot, step, &noise);
    for (unsigned i = 1; i <= level; i++, factor *= 4) {
      row[i] = (factor * row[i - 1] - old[i - 1]) / (factor - 1);
      long double across = fabsl(row[i] - row[i - 1]), down = fabsl(row[i] - old[i - 1]);
      long double error = (across > down ? across : down) + noise;
      best = error < *doubt ? row[i] : best;
      *doubt = error < *doubt ? error : *doubt;
    }
    for (unsigned i = 0; i <= level; i++)
      old[i] = row[i];
  }
  return best;
}

/* Fills in truth and doubt for one slot: the best of several starts, which the second best must
 * confirm. False where the function is not smooth enough. */
static inline bool nb_differentiate(const NbCase *c, NbSample *s, unsigned slot, double width) {
  long double size = fabs(s->v[slot]) > width * 0.01 ? fabs(s->v[slot]) : width * 0.01;
  long double step = size * 0.1L, second = 0, second_doubt = HUGE_VALL;
  s->doubt[slot] = HUGE_VALL;
  for (unsigned start = 0; start < NB_STARTS; start++, step /= 11) {
    long double doubt, value = nb_extrapolate(c, s, slot, step, &doubt);
    if (doubt < s->doubt[slot]) {
      second = s->truth[slot];
      second_doubt = s->doubt[slot];
      s->truth[slot] = value;
      s->doubt[slot] = doubt;
    } else if (doubt < second_doubt) {
      second = value;
      second_doubt = doubt;
    }
  }
  long double limit = (c->coarse ? 1e-6L : 1e-13L) * fabsl(s->truth[slot]);
  limit += c->coarse ? 1e-9L : 1e-17L;
  return s->doubt[slot] <= limit && fabsl(s->truth[slot] - second) <= 100 * limit;
}

static inline bool nb_sample(const NbCase *c, const NbBox *box, uint64_t *state, NbSample *s) {
  for (unsigned i = 0; i < c->reals; i++) {
    s->v[i] = box->low[i] + (box->high[i] - box->low[i]) * nb_random(state);
    s->v[i] = c->narrow ? (double)(float)s->v[i] : s->v[i];
  }
  for (unsigned i = 0; i < c->ints; i++) {
    int width = box->high_k[i] - box->low_k[i] + 1;
    s->k[i] = box->low_k[i] + (int)(nb_random(state) * width);
  }
  for (unsigned i = 0; i < c->reals; i++)
    if (!nb_differentiate(c, s, i, box->high[i] - box->low[i]))
      return false;
  return true;
}

static inline long double nb_tolerance(const NbCase *c, long double scale, long double doubt) {
  long double epsilon = c->narrow ? 1.1920929e-07L : c->coarse ? 1e-12L : 2.220446e-16L;
  return 64 * epsilon * scale + 10 * doubt;
}

static inline bool nb_report(const NbCase *c, const char *mode, const NbSample *s, unsigned slot,
                             long double got, long double want) {
  printf("%s: %s: argument %u at (", c->name, mode, slot + 1);
  for (unsigned i = 0; i < c->reals; i++)
    printf("%s%.17g", i ? ", " : "", s->v[i]);
  for (unsigned i = 0; i < c->ints; i++)
    printf(", %d", s->k[i]);
  printf("): %.17Lg instead of %.17Lg\n", got, want);
  return false;
}

static inline bool nb_check_all(const NbCase *c, const char *mode, const NbSample *s,
                                const double *out, long double scale) {
  for (unsigned i = 0; i < c->reals; i++) {
    long double error = fabsl(out[i] - s->truth[i]);
    if (!(error <= nb_tolerance(c, scale, s->doubt[i])))
      return nb_report(c, mode, s, i, out[i], s->truth[i]);
  }
  return true;
}

static inline void nb_forward(const NbCase *c, const NbSample *s, double *out) {
  double direction[NB_SLOTS] = {0};
  for (unsigned i = 0; i < c->reals; i++) {
    direction[i] = 1;
    out[i] = c->tangent(s->v, direction, s->k);
    direction[i] = 0;
  }
}

static inline long double nb_scale(const NbSample *samples, unsigned count, unsigned reals) {
  long double scale = 0;
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; k < reals; k++)
      scale = fabsl(samples[i].truth[k]) > scale ? fabsl(samples[i].truth[k]) : scale;
  return scale;
}

static inline bool nb_check_sample(const NbCase *c, const NbSample *s, long double scale) {
  double out[NB_SLOTS] = {0};
  c->formula(s->v, out, s->k);
  if (!nb_check_all(c, "formula", s, out, scale))
    return false;
  if (!c->tangent)
    return true;
  nb_forward(c, s, out);
  if (!nb_check_all(c, "forward", s, out, scale))
    return false;
  for (unsigned i = 0; i < c->reals; i++)
    out[i] = 0;
  c->adjoint(s->v, out, s->k);
  return nb_check_all(c, "reverse", s, out, scale);
}

static inline bool nb_check_box(const NbCase *c, const NbBox *box) {
  static const uint64_t seed = 0x9e3779b97f4a7c15u;
  NbSample samples[NB_POINTS] = {0};
  uint64_t state = seed;
  unsigned count = 0;
  for (unsigned i = 0; i < NB_TRIES && count < NB_POINTS; i++)
    count += nb_sample(c, box, &state, &samples[count]);
  if (count < NB_POINTS) {
    printf("%s: only %u of %d points are smooth\n", c->name, count, NB_TRIES);
    return false;
  }
  long double scale = nb_scale(samples, count, c->reals);
  for (unsigned i = 0; i < count; i++)
    if (!nb_check_sample(c, &samples[i], scale))
      return false;
  return true;
}

static inline bool nb_equal(const NbCase *c, double got, double want) {
  if (isnan(want) || isinf(want))
    return __FINITE_MATH_ONLY__ || got == want || (isnan(got) && isnan(want));
  return fabs(got - want) <= (double)nb_tolerance(c, fabs(want), 0);
}

static inline bool nb_check_values(const NbCase *c, const char *mode, const NbPromise *p,
                                   const double *out) {
  NbSample s = {0};
  for (unsigned i = 0; i < NB_SLOTS; i++) {
    s.v[i] = p->v[i];
    s.k[i] = p->k[i];
  }
  for (unsigned i = 0; i < c->reals; i++)
    if ((p->mask >> i & 1) && !nb_equal(c, out[i], p->out[i]))
      return nb_report(c, mode, &s, i, out[i], p->out[i]);
  return true;
}

/* A tangent is the sum over all arguments: beside an infinite slope, that of a zero direction is
 * not zero. */
static inline bool nb_all_finite(const NbCase *c, const double *out) {
  for (unsigned i = 0; i < c->reals; i++)
    if (c->reals > 1 && !isfinite(out[i]))
      return false;
  return true;
}

static inline bool nb_check_promise(const NbCase *c, const NbPromise *p) {
  double out[NB_SLOTS] = {0};
  c->formula(p->v, out, p->k);
  if (!nb_check_values(c, "formula", p, out))
    return false;
  if (!c->adjoint)
    return true;
  c->adjoint(p->v, out, p->k);
  if (!nb_check_values(c, "reverse", p, out))
    return false;
  if (!nb_all_finite(c, out))
    return true;
  double direction[NB_SLOTS] = {0};
  for (unsigned i = 0; i < c->reals; i++) {
    direction[i] = 1;
    out[i] = c->tangent(p->v, direction, p->k);
    direction[i] = 0;
  }
  return nb_check_values(c, "forward", p, out);
}

/* Runs every box and every promise of the case, and counts them. Under -ffast-math only the first
 * box: there the compiler may rewrite the formulas that the others, at the edges, rely on. */
static inline void nb_case_run(const NbCase *c, unsigned *passed, unsigned *failed) {
  unsigned boxes = __FINITE_MATH_ONLY__ && c->box_count ? 1 : c->box_count;
  for (unsigned i = 0; i < boxes; i++)
    ++*(nb_check_box(c, &c->boxes[i]) ? passed : failed);
  for (unsigned i = 0; i < c->promise_count; i++)
    ++*(nb_check_promise(c, &c->promises[i]) ? passed : failed);
}

#endif

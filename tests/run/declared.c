// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What users declare of globals, and shadows that are the primal itself. */
// shows: enzyme_runtime_activity; __enzyme_shadow_global; __enzyme_inactive_global
#include "cases.h"

#ifndef __cplusplus
extern int enzyme_runtime_activity;
extern void __enzyme_autodiff_runtime(void *, ...);
extern real __enzyme_fwddiff_runtime(void *, ...);

static real weights[3], weights_shadow[3], state, state_shadow;
void *__enzyme_shadow_global_weights[2] = {weights, weights_shadow};
struct {
  void *primal, *shadow;
} __enzyme_shadow_globals_others[] = {{&state, &state_shadow}};
static real quiet[3] = {4, 5, 6};
void *__enzyme_inactive_global_quiet = quiet;

static NOINLINE real weigh(real x) {
  real r = 0;
  for (int i = 0; i < 3; i++)
    r += weights[i] * weights[i] * x;
  return r;
}

static real advance(real x) {
  state = state * x;
  return weigh(x) * state;
}

static void start(void) {
  for (int i = 0; i < 3; i++) {
    weights[i] = i + 1;
    weights_shadow[i] = 0;
  }
  state = 3;
  state_shadow = 0;
}

CHECK(shadows_of_globals_declared) {
  start();
  EXPECT(__enzyme_autodiff_scalar1(advance, 2), 168);
  EXPECT(state_shadow, 56);
  EXPECT(weights_shadow[0], 24);
  EXPECT(weights_shadow[2], 72);
  start();
  state_shadow = 1;
  weights_shadow[1] = 0.5;
  EXPECT(__enzyme_fwddiff_scalar1(advance, 2, 0), 80);
  EXPECT(state_shadow, 2);
}

static NOINLINE real read_quiet(void) { return quiet[0] * quiet[1]; }

static real through_quiet(real x) {
  quiet[0] = x * x;
  return read_quiet() * x;
}

static real beside_quiet(real x) {
  real other[3] = {x, x, x};
  real *p = VALUE(x) > 1 ? quiet : other;
  p[1] = 3;
  return p[0] * p[1] * other[2];
}

/* The optimiser sees what is loaded again. */
static real stored_and_read(real x) {
  quiet[1] = x * x;
  quiet[2] += x;
  return quiet[1] * 3 + quiet[2] + x;
}

CHECK(stored_in_an_inactive_global) {
  EXPECT(__enzyme_autodiff_scalar1(stored_and_read, 2), 1);
  EXPECT(__enzyme_fwddiff_scalar1(stored_and_read, 2, 1), 1);
}

CHECK(global_declared_inactive) {
  quiet[0] = 4;
  quiet[1] = 5;
  EXPECT(__enzyme_autodiff_scalar1(through_quiet, 2), 20);
  EXPECT(__enzyme_fwddiff_scalar1(through_quiet, 2, 1), 20);
  EXPECT(__enzyme_autodiff_scalar1(beside_quiet, 2), 12);
  EXPECT(__enzyme_fwddiff_scalar1(beside_quiet, 0.5, 1), 3);
}

typedef struct {
  real *a, *b;
  int n;
} Two;

static real twice_dot(Two *two) {
  real r = 0;
  for (int i = 0; i < two->n; i++)
    two->b[i] *= 2;
  for (int i = 0; i < two->n; i++)
    r += two->a[i] * two->b[i];
  return r;
}

CHECK(shadow_is_the_primal) {
  real a[2] = {1, 2}, b[2] = {3, 4}, da[2] = {0, 0}, db[2] = {0, 0};
  Two two = {a, b, 2}, shadow = {da, b, 0};
  __enzyme_autodiff_runtime((void *)twice_dot, enzyme_runtime_activity, &two, &shadow);
  EXPECT(da[0], 6);
  EXPECT(da[1], 8);
  EXPECT(b[1], 8);
  shadow.a = a;
  shadow.b = db;
  __enzyme_autodiff_runtime((void *)twice_dot, enzyme_runtime_activity, &two, &shadow);
  EXPECT(db[0], 2);
  EXPECT(db[1], 4);
  EXPECT(b[1], 16);
  EXPECT(a[1], 2);
  db[0] = 1;
  db[1] = 0;
  EXPECT(__enzyme_fwddiff_runtime((void *)twice_dot, enzyme_runtime_activity, &two, &shadow), 2);
  __enzyme_autodiff_runtime((void *)twice_dot, enzyme_runtime_activity, &two, &two);
  EXPECT(a[0], 1);
  EXPECT(b[1], 64);
}
#endif

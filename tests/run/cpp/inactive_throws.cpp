// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions without derivative that throw: what catches the exception is run, as in the primal. */
#define NB_AT_ONCE
#include "cases.h"

__attribute__((annotate("enzyme_inactive"))) NOINLINE static int marked(const real &x, int limit) {
  if (x > limit)
    throw limit + 1;
  return 1;
}

static int registered(real x) {
  if (x > 2)
    throw x;
  return 2;
}
void *__enzyme_inactivefn_throws = (void *)registered;

#ifdef NB_SUBJECT
extern int __enzyme_call_inactive(...);
#else
static int __enzyme_call_inactive(void *, const real *x, int limit) { return marked(*x, limit); }
#endif

SCALAR1(caught_at_once, 1.5, 3.5) {
  try {
    return x * x * marked(x, 2);
  } catch (int k) {
    return x * k;
  }
}

static NOINLINE real passes_on(const real *x, int *open) {
  struct Scope {
    int *open;
    explicit Scope(int *o) : open(o) { ++*open; }
    ~Scope() { --*open; }
  } scope(open);
  real y = x[0] * x[1];
  return y * registered(x[0]) + x[0];
}

SUM(caught_by_the_caller, 4, 1.5, 1.0, 3.0, 0.5) {
  real r = 1;
  for (int i = 0; i + 1 < n; i++) {
    int open = i;
    try {
      r = r * 0.5 + passes_on(x + i, &open);
    } catch (real k) {
      r = r * x[i + 1] * (open + 1);
    }
  }
  return r;
}

SUM(of_one_call, 3, 1.0, 3.0, 0.5) {
  real r = 0;
  for (int i = 0; i < n; i++) {
    try {
      int k = __enzyme_call_inactive((void *)marked, &x[i], 2);
      r += k * x[i] * x[i];
    } catch (int k) {
      r = r * r + k * x[i];
    }
  }
  return r;
}

#ifdef NB_SUBJECT
static real leaves(real x) { return x * x * marked(x, 2); }

template <class F> static int thrown(F &&call) {
  try {
    call();
  } catch (int k) {
    return k;
  }
  return 0;
}

CHECK(leaves_the_function) {
  real found = 0;
  EXPECT(thrown([&] { found = __enzyme_autodiff_scalar1(leaves, 3.0); }), 3);
  EXPECT(thrown([&] { found = __enzyme_fwddiff_scalar1(leaves, 3.0, 1.0); }), 3);
  EXPECT(thrown([&] { found = __enzyme_autodiff_scalar1(leaves, 1.5); }), 0);
  EXPECT(found, 3.0);
}
#endif

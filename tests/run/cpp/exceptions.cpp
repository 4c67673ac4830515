// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Exceptions that do not happen, that are caught inside, and that leave the function. */
#define NB_AT_ONCE
#include "cases.h"

#include <stdexcept>

struct Scope {
  explicit Scope(int &open) : open(open) { open++; }
  Scope(const Scope &) = delete;
  ~Scope() { open--; }
  int &open;
};

static NOINLINE real guarded(const real &x, int limit) {
  if (limit < 0)
    throw std::runtime_error("negative");
  return x * x + limit;
}

SCALAR1(not_thrown, 1.5, -0.5) {
  int open = 0;
  Scope scope(open);
  real y = guarded(x, 1);
  Scope inner(open);
  return sin(y) * guarded(y, open);
}

SUM(not_thrown_in_loops, 3, 1.0, 2.0, 3.0) {
  int open = 0;
  real r = 1;
  for (int i = 0; i < n; i++) {
    Scope scope(open);
    for (int j = 0; j <= i; j++) {
      Scope inner(open);
      r = r * 0.25 + guarded(x[j], i);
    }
  }
  return r * open + r;
}

SCALAR2(not_caught_as_not_thrown, 1.5, -0.5) {
  try {
    real y = guarded(x, 2);
    return y * guarded(y * x, 3);
  } catch (const std::runtime_error &) {
    return y;
  }
}

SUM(caught_inside, 4, 1.0, -2.0, 3.0, -4.0) {
  real r = x[0];
  for (int i = 0; i < n; i++) {
    try {
      r = r * 0.5 + guarded(x[i], x[i] < 0 ? -1 : i);
    } catch (const std::runtime_error &) {
      r = r * x[i];
    }
  }
  return r;
}

SUM(thrown_right_here, 3, 1.0, -2.0, 3.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    try {
      if (x[i] < 0)
        throw i;
      r *= x[i];
    } catch (int k) {
      r = r * r + k * x[k];
    }
  }
  return r;
}

static NOINLINE void stored(real *to, const real &x) {
  *to = x * x;
  if (x > 100)
    throw std::out_of_range("too large");
}

SUM(stored_by_what_may_throw, 3, 1.0, -2.0, 3.0) {
  real squares[3];
  int open = 0;
  for (int i = 0; i < 3; i++) {
    Scope scope(open);
    stored(&squares[i], x[i]);
  }
  return squares[0] * squares[1] + n * squares[2];
}

/* What is thrown carries a number that nobody here reads. */
struct Diverged : std::runtime_error {
  Diverged(const real &r, int s) : std::runtime_error("diverged"), rest(r), step(s) {}
  real rest;
  int step;
};

static NOINLINE real root_of(const real &x, int most) {
  real y = (1 + x) / 2;
  real rest = y * y - x;
  if (most < 1)
    throw Diverged(rest, most);
  return y - rest / (2 * y);
}

SUM(carries_a_number, 3, 1.5, 2.5, 3.5) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    try {
      r += root_of(x[i], i == 1 ? 0 : 1) * x[0];
    } catch (const std::exception &) {
      r *= x[i];
    }
  }
  return r;
}

#ifdef NB_SUBJECT
static real leaves_with_a_number(real x) { return root_of(x, x > 2 ? 0 : 1) * x; }

template <class F> static real rest_of(F &&call) {
  try {
    call();
  } catch (const Diverged &e) {
    return e.rest + e.step;
  }
  return 0;
}

CHECK(carried_out) {
  real rest = rest_of([] { leaves_with_a_number(2.5); });
  EXPECT(rest_of([] { __enzyme_autodiff_scalar1(leaves_with_a_number, 2.5); }), rest);
  EXPECT(rest_of([] { __enzyme_fwddiff_scalar1(leaves_with_a_number, 2.5, 1.0); }), rest);
}

static real leaves(real x) {
  int open = 0;
  Scope scope(open);
  return guarded(x, x > 2 ? -1 : 1);
}

template <class F> static int throws(F &&call) {
  try {
    call();
  } catch (const std::runtime_error &) {
    return 1;
  }
  return 0;
}

CHECK(passed_on) {
  real found = 0;
  EXPECT(throws([&] { found = __enzyme_autodiff_scalar1(leaves, 3.0); }), 1);
  EXPECT(throws([&] { found = __enzyme_fwddiff_scalar1(leaves, 3.0, 1.0); }), 1);
  EXPECT(throws([&] { found = __enzyme_autodiff_scalar1(leaves, 1.5); }), 0);
  EXPECT(found, 3.0);
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What has an infinite slope and is not used there: its derivative is that of what is used. */
// differences: none
#include "cases.h"

extern real __enzyme_autodiff(void *, ...);
extern real __enzyme_fwddiff(void *, ...);

static real root_then_asked(real x) {
  real n = (real)sqrt(x * x);
  if (n > 0)
    return (real)(sin(x / n) * cos(n));
  return x * 3;
}

static real two_poles(real x) {
  real root = (real)sqrt(x);
  real inverse = 1 / root;
  if (root != 0)
    return (real)sin(inverse * inverse) * inverse;
  return x * 2;
}

static real asked_in_a_loop(real x) {
  real sum = x;
  for (int i = 0; i < 3; i++) {
    real d = x * (real)i;
    real r = (real)sqrt(d * d);
    if (r > (real)1e-8)
      sum += (real)(sin(d / r) * pow(r, 1.5));
  }
  return sum;
}

static real asked_far_below(real x) {
  volatile real limit = (real)1e-3;
  real sum = x;
  real q = x / (x * x);
  for (int i = 0; i < 3; i++) {
    if (x * x > limit)
      sum += (real)tanh(q) + (real)i;
    else
      sum += x;
  }
  return sum;
}

static NOINLINE real length(real a, real b) { return (real)sqrt(a * a + b * b); }

static real asked_by_the_caller(real x) {
  real n = length(x, x * 2);
  return n == 0 ? x : x / n;
}

#define AT_ZERO(function, slope)                                                                   \
  EXPECT(__enzyme_fwddiff((void *)(function), (real)0, (real)1), slope);                           \
  EXPECT(__enzyme_autodiff((void *)(function), (real)0), slope)

CHECK(guard_root) { AT_ZERO(root_then_asked, 3); }
CHECK(guard_chain) { AT_ZERO(two_poles, 2); }
CHECK(guard_loop) { AT_ZERO(asked_in_a_loop, 1); }
CHECK(guard_caller) { AT_ZERO(asked_by_the_caller, 1); }
CHECK(guard_far) { AT_ZERO(asked_far_below, 4); }

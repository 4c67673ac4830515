// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* if/else chains, switch with and without fall-through, early returns, guards. */
#include "cases.h"

SCALAR2(if_chain, 0.5, 2.0, 1.5, 2.0, 2.5, 2.0, 9.0, 2.0) {
  real r;
  if (x < 1)
    r = x * y;
  else if (x < 2)
    r = x / y;
  else if (x < 3)
    r = sin(x);
  else
    r = y * y;
  return r * x;
}

SCALAR2(nested_branches, 0.5, 2.0, 1.5, -2.0, -2.5, 2.0, -9.0, -2.0) {
  real r = x;
  if (x > 0) {
    r = r * y;
    if (y > 0)
      r = r * r;
    else
      r = exp(r * 0.1);
  } else if (y > 0) {
    r = r + y * y;
  }
  return r + x * y;
}

SCALAR2(early_returns, 0.5, 2.0, 1.5, 2.0, 2.5, -2.0) {
  if (x < 1)
    return x * x;
  real r = sin(x * y);
  if (y < 0)
    return r;
  r = r * exp(y);
  return r + x;
}

SCALAR1(return_before_work, -1.0, 1.0) {
  if (x < 0)
    return 0;
  return x * sqrt(x);
}

SUM(switch_in_loop, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    switch (i % 4) {
    case 0:
      r = r * x[i];
      break;
    case 1:
      r = r + x[i] * x[0];
      break;
    case 3:
      r = sin(r);
      break;
    default:
      r = r - x[i];
    }
  }
  return r;
}

SUM(fall_through, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  real r = 0.5;
  for (int i = 0; i < n; i++) {
    switch (i) {
    case 1:
      r = r * x[1];
      __attribute__((fallthrough));
    case 2:
      r = r + x[2] * 0.1;
      __attribute__((fallthrough));
    case 4:
      r = sin(r);
      break;
    case 3:
      continue;
    default:
      r = r + x[i];
    }
    r = r * 0.5;
  }
  return r;
}

SUM(switch_on_data, 3, 0.5, 1.5, 2.5, 3.5, 1.5, 0.5, 2.5, 2.5, 9.5) {
  real r = 0;
  for (int i = 0; i < n; i++) {
    switch ((int)VALUE(x[i])) {
    case 0:
      r += x[i];
      break;
    case 1:
    case 2:
      r += x[i] * x[i];
      break;
    case 3:
      return r * x[0];
    default:
      r *= x[i];
      break;
    }
  }
  return r;
}

SUM(switch_returns, 3, 0.5, 1.5, 2.5, 2.5, 1.5, 0.5) {
  switch (x[0] > 1 ? 7 : n) {
  case 3:
    return x[0] * x[1];
  case 7:
    return x[1] / x[2];
  default:
    return 0;
  }
}

SUM(switch_on_negative_and_large, 4, 1.0, 2.0, 3.0, 4.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    long key = i == 0 ? -5 : i == 1 ? 1000000007L : i;
    switch (key) {
    case -5:
      r *= x[0];
      break;
    case 1000000007L:
      r += x[1] * x[1];
      break;
    case 2:
      r = r / x[2];
    }
  }
  return r;
}

SCALAR2(and_or_conditions, 0.5, 2.0, 1.5, 2.0, 2.5, -2.0) {
  real r = x;
  if (x > 1 && y > 0)
    r = x * y;
  if (x < 0.75 || y < 0)
    r = r * r + y;
  return r;
}

SCALAR2(branch_then_loop, 0.5, 2.0, 1.5, 2.0) {
  real r = 1;
  if (x > 1)
    for (int i = 0; i < 4; i++)
      r = r * x + y;
  else
    for (int i = 0; i < 2; i++)
      r = r * y - x;
  return r;
}

SUM(branch_in_nest, 4, 1.0, -2.0, 3.0, -4.0) {
  real r = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (x[j] > 0)
        r = r * cos(x[i]);
      else if (i > j)
        r = r + x[i] * x[j];
    }
  return r;
}

SUM(branch_with_residuals, 4, 1.0, -2.0, 3.0, -4.0) {
  real r = 0.5;
  for (int i = 0; i < n; i++) {
    real t = sin(r + x[i]);
    if (t > 0)
      r = t * t;
    else
      r = exp(t) * x[i];
  }
  return r;
}

SUM(decision_on_changed_value, 4, 1.0, -2.0, 3.0, -4.0) {
  real r = 0.5;
  for (int i = 0; i < n; i++) {
    r = r + x[i];
    if (r > 0.75)
      r = r * 0.5;
    if (r < -1)
      r = -r;
  }
  return r * r;
}

SUM(flag_carried_along, 4, 1.0, -2.0, 3.0, -4.0) {
  int flag = 0;
  real r = 1;
  for (int i = 0; i < n; i++) {
    if (flag)
      r = r * x[i];
    else
      r = r + x[i];
    flag = x[i] > 0 ? !flag : flag;
  }
  return r;
}

SUM(guarded_root, 4, 1.0, 0.0, 4.0, 0.0) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += x[i] > 0 ? sqrt(x[i]) : 0;
  return r;
}

SUM(guarded_log, 3, 1.5, 0.0, 4.0) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += x[i] > 0 ? x[i] * log(x[i]) : 0;
  return r;
}

SUM(guarded_norm, 3, 1.0, 2.0, 2.0) {
  real s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * x[i];
  return s != 0 ? x[0] / sqrt(s) : 0;
}

MAP(guarded_ratios, 4, 2, 1.0, 2.0, 3.0, 0.0, 3.0, 0.0, 1.0, 4.0) {
  for (int i = 0; i < n / 2; i++)
    y[i] = x[2 * i + 1] != 0 ? x[2 * i] / x[2 * i + 1] : 0;
}

MAP(clamped, 4, 4, -1.0, 0.5, 3.0, 1.5) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] < 0 ? 0 : x[i] > 1 ? 1 : x[i] * x[i];
}

MAP(stores_on_some_paths, 4, 4, -1.0, 0.5, 3.0, 1.5) {
  for (int i = 0; i < n; i++)
    if (x[i] > 1)
      y[i] = x[i] * x[0];
    else if (x[i] < 0)
      y[i] += x[i];
}

SCALAR2(leaky_relu, 1.0, 0.1, -1.0, 0.1) { return x > 0 ? x : y * x; }

SCALAR1(huber, 0.5, 3.0, -3.0) {
  real a = fabs(x);
  return a < 1 ? 0.5 * x * x : a - 0.5;
}

SCALAR2(phi_of_constants, 1.0, 0.1, -1.0, 0.1) {
  real scale;
  if (x > 0)
    scale = 2;
  else
    scale = y > 0 ? 3 : 4;
  return scale * x * y;
}

/* The optimiser sees the zero, and divides before it asks. */
MAP(divided_by_a_known_zero, 3, 1, 0.6, 1.1, -0.7) {
  real none[3];
  memset(none, 0, sizeof none);
  real d = 1.5 + x[2] * x[2];
  y[0] = cos(none[1] / d > 0.2 ? x[0] * x[1] / none[1] / d : x[0] * x[1]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tables of pointers to member functions. */
// llvm: 22
#define NB_AT_ONCE
#include "cases.h"

struct Scaled {
  real by;
  real times(real v) const { return by * v; }
  real plus(real v) const { return by + v * v; }
};

SUM(members_of_a_table, 4, 0.6, 0.9, -1.1, 0.2) {
  Scaled scaled = {x[0]};
  real (Scaled::*table[])(real) const = {&Scaled::times, &Scaled::plus};
  real r = 0;
  for (int i = 0; i < n; i++)
    r += (scaled.*table[i % 2])(x[i]);
  return r;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fno-strict-aliasing
// reals: double
/* The same as in overlays.c, of structs of several integers. */
#include "cases.h"

#include <stdint.h>

#ifdef __cplusplus
typedef real Bits;
#else
typedef uint64_t Bits;
#endif

typedef struct {
  Bits first, second;
} Pair;

SUM(members_of_one_struct_exchanged, 4, 0.5, 1.5, 2.5, 3.5) {
  Pair *pairs = (Pair *)x;
  for (int i = 0; i < 2; i++) {
    Bits first = pairs[i].first;
    pairs[i].first = pairs[i].second;
    pairs[i].second = first;
  }
  return x[0] * x[1] * (real)n + x[2] * x[2] * x[3];
}

MAP(members_of_one_struct_copied, 4, 4, 0.5, 1.5, 2.5, 3.5) {
  Pair *to = (Pair *)y;
  const Pair *from = (const Pair *)x;
  for (int i = 0; i < 2; i++) {
    to[i].second = from[i].first;
    to[i].first = from[i].second;
  }
  for (int i = 0; i < 4; i++)
    y[i] *= y[i];
}

static NOINLINE void turn(Pair *to, const Pair *from) {
  to->second = from->first;
  to->first = from->second;
}

SUM(a_helper_that_turns_pairs, 4, 0.5, 1.5, 2.5, 3.5) {
  real turned[4];
  for (int i = 0; i < 2; i++)
    turn((Pair *)turned + i, (const Pair *)x + i);
  return turned[0] * turned[0] * turned[1] + turned[2] * turned[3] * (real)n;
}

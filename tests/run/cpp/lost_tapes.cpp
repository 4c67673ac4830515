// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Exceptions through functions that have a tape of their own, which is lost then
 * (docs/compatibility.md): memory that is left behind is not counted here. */
#define NB_AT_ONCE
#include "cases.h"

#ifdef NB_SUBJECT
extern "C" const int nb_loses_tapes = 1;
#endif

struct Scope {
  explicit Scope(int &open) : open(open) { open++; }
  Scope(const Scope &) = delete;
  ~Scope() { open--; }
  int &open;
};

static NOINLINE real deep(real x, int depth) {
  int open = 0;
  Scope scope(open);
  if (depth > 3)
    throw depth;
  return x * (x < 2 ? x : deep(x * 0.75, depth + 1));
}

SUM(caught_from_deep, 3, 1.0, 3.0, 9.0) {
  real r = 0;
  for (int i = 0; i < n; i++) {
    try {
      r += deep(x[i], 0);
    } catch (int depth) {
      r += x[i] * depth;
    } catch (...) {
      r = 0;
    }
  }
  return r;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A file of C++ that takes words out of bytes by themselves may move numbers in them: without TBAA
 * its integers are not what its text says. */
// load: -fplugin
// reals: double
#define NB_AT_ONCE
#include "cases.h"

#include <algorithm>
#include <list>
#include <utility>
#include <vector>

static NOINLINE void exchange(void *a, void *b) {
#if defined(__OPTIMIZE__) || !defined(NB_SUBJECT) /* there C++ forbids it */
  std::swap(*static_cast<real *>(a), *static_cast<real *>(b));
#else
  long *p = static_cast<long *>(a), *q = static_cast<long *>(b);
  long word = *p;
  *p = *q;
  *q = word;
#endif
}

SUM(words_of_a_list, 3, 0.6, 0.9, 1.4) {
  std::list<real> all(x, x + n);
  exchange(&all.front(), &all.back());
  real r = 0;
  for (real v : all)
    r = r * 0.5 + v * v * v;
  return r;
}

struct Words {
  long first, second;
};

struct Numbers {
  real first, second;
};

static NOINLINE void copy(void *to, const void *from) {
#if defined(__OPTIMIZE__) || !defined(NB_SUBJECT)
  *static_cast<Numbers *>(to) = *static_cast<const Numbers *>(from);
#else
  Words *t = static_cast<Words *>(to);
  const Words *f = static_cast<const Words *>(from);
  t->first = f->first;
  t->second = f->second;
#endif
}

SUM(words_of_structs, 2, 0.6, 0.9) {
  std::vector<Numbers> numbers(2);
  numbers[0] = {x[0] * x[1], x[n - 1]};
  copy(&numbers[1], &numbers[0]);
  return numbers[1].first * numbers[1].second + x[0];
}

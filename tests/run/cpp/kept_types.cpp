// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Containers and storage of bytes in a file that keeps to its types: at -O0 its text tells what
 * TBAA would tell. */
// load: -fplugin
// reals: double
#define NB_AT_ONCE
#include "cases.h"

#include <algorithm>
#include <iterator>
#include <list>
#include <new>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

SUM(kept_hash_erased, 3, 0.6, 2.0, 3.0) {
  std::unordered_map<int, real> m;
  for (int i = 0; i < n; i++)
    m[i] = x[i];
  m.erase(1);
  return m[0] * m[1] + m[2] * m[0];
}

SUM(kept_list_spliced, 3, 1.6, 0.9, 0.7) {
  std::list<real> all(x, x + n), some;
  some.splice(some.begin(), all, all.begin(), std::next(all.begin(), 2));
  all.remove_if([](real v) { return v > 100; });
  all.reverse();
  all.merge(some);
  real r = 0;
  for (real v : all)
    r = r * 0.5 + v * v;
  return r;
}

SUM(kept_tuples_sorted, 4, 0.6, -0.9, 1.1, 0.4) {
  std::vector<std::tuple<real, int, real>> rows;
  for (int i = 0; i < n; i++)
    rows.emplace_back(x[i], i, x[i] * x[0]);
  std::sort(rows.begin(), rows.end());
  return std::get<0>(rows[0]) * std::get<2>(rows[1]) + std::get<1>(rows[2]) * x[1];
}

struct Arena {
  alignas(16) unsigned char bytes[256];
  size_t used = 0;
  template <class T, class... A> T *make(A &&...a) {
    void *at = bytes + used;
    used += sizeof(T);
    return new (at) T{std::forward<A>(a)...};
  }
};

struct Cell {
  real value;
  Cell *next;
};

SUM(kept_arena, 2, 1.6, 0.3) {
  Arena arena;
  Cell *head = nullptr;
  for (int i = 0; i < n; i++)
    head = arena.make<Cell>(x[i], head);
  real r = 0;
  for (const Cell *cell = head; cell; cell = cell->next)
    r = r * 0.5 + cell->value * cell->value;
  return r;
}

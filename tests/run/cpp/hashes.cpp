// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables: how many buckets there are says the library (rules/cxx.rules). */
#define NB_AT_ONCE
#include "cases.h"

#include <unordered_map>
#include <unordered_set>

SUM(hash_filled, 4, 1.0, 2.0, 3.0, 4.0) {
  std::unordered_map<int, real> m;
  for (int i = 0; i < n; i++)
    m[i * 7 % 5] = x[i] * x[i];
  real r = 0;
  for (auto &entry : m)
    r += entry.first * entry.second;
  return r * m[0];
}

SUM(hash_changed, 3, 1.0, 2.0, 3.0) {
  std::unordered_map<int, real> m;
  real r = 1;
  for (int i = 0; i < 5 * n; i++)
    m[i] += x[i % n] * i;
  for (int i = 0; i < 5 * n; i++)
    r = r * 0.5 + m.at(i) * m.find(i)->second;
  m.clear();
  m[1] = r * x[0];
  return m[1] + (int)m.size();
}

SUM(hash_of_integers, 3, 1.0, 2.0, 3.0) {
  std::unordered_set<int> s;
  real r = 1;
  for (int i = 0; i < n; i++) {
    s.insert(i % 2);
    r = r * x[i] + (int)s.size();
  }
  return r;
}

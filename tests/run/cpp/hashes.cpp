// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables: how many buckets there are says the library (rules/cxx.rules). */
// load: -fplugin
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

static void put(std::unordered_map<int, real> &m, real value, int k) {
  if (k > 0)
    put(m, value * value, k - 1);
  m[k] = value;
}

SUM(hash_in_recursion, 1, 0.6) {
  std::unordered_map<int, real> m;
  put(m, x[0], n + 2);
  return m[1] * m[2] + m[0];
}

struct Known {
  real start;
  std::unordered_map<int, real> values;
  real at(int k) {
    if (k < 2)
      return start;
    auto known = values.find(k);
    if (known != values.end())
      return known->second;
    real value = at(k - 1) * start + at(k - 2);
    return values[k] = value;
  }
};

SUM(hash_of_what_is_known, 1, 0.6) {
  Known known = {x[0], {}};
  return known.at(n + 5);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Trees: the library's functions behind them are models (models/containers.c). */
#define NB_AT_ONCE
#include "cases.h"

#include <map>
#include <set>

SUM(map_filled, 4, 1.0, 2.0, 3.0, 4.0) {
  std::map<int, real> m;
  for (int i = 0; i < n; i++)
    m[i * 7 % 5] = x[i] * x[i];
  real r = 0;
  for (auto &entry : m)
    r = r * 0.5 + entry.first * entry.second;
  return r * m[0];
}

SUM(map_emptied, 3, 3.0, 1.0, 4.0) {
  std::map<int, real> m;
  real r = 0;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      m[i] += x[i] * x[j];
    for (auto &entry : m)
      r += entry.second * entry.second;
    m.clear();
  }
  return r;
}

SUM(set_sorted, 4, 3.0, 1.0, 4.0, 2.0) {
  std::set<real> s(x, x + n);
  real r = 0;
  for (const real &v : s)
    r = r * 0.5 + v * v;
  return r * *s.begin();
}

SUM(map_sorted_by_values, 3, 3.0, 1.0, 4.0) {
  std::map<real, int> m;
  for (int i = 0; i < n; i++)
    m[x[i]] = i;
  real r = 0;
  for (auto &entry : m)
    r = r * 0.5 + entry.first * entry.second;
  return r;
}

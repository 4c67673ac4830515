// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Trees that are copied: the function that copies nodes calls itself, and knows no more of a pair
 * than its bytes. With LLVM 19 they are refused. */
// llvm: 22
#define NB_AT_ONCE
#include "cases.h"

#include <map>

SUM(map_copied, 4, 1.0, 2.0, 3.0, 4.0) {
  std::map<long, real> m;
  for (int i = 0; i < n; i++)
    m[i] = x[i] * x[i];
  std::map<long, real> c = m;
  c[2] *= x[1];
  real r = 0;
  for (auto &entry : c)
    r = r * 0.5 + (real)(entry.first + 1) * entry.second;
  for (auto &entry : m)
    r += entry.second * entry.second;
  return r;
}

static real weighted_total(std::map<long, real> m) {
  real r = 0;
  for (auto &entry : m)
    r += entry.second * entry.second * (real)(1 + entry.first);
  return r;
}

SUM(map_by_value, 4, 1.0, 2.0, 3.0, 4.0) {
  std::map<long, real> m;
  for (int i = 0; i < n; i++)
    m[i % 3] += x[i];
  return weighted_total(m) * weighted_total(m);
}

/* Nodes are used again, of which a link may be any. */
SUM(map_assigned, 4, 1.0, 2.0, 3.0, 4.0) {
  std::map<long, real> m, c;
  for (int i = 0; i < n; i++) {
    m[i] = x[i] * x[i];
    c[i + 3] = x[i];
  }
  real r = c[4];
  c = m;
  c[2] *= x[1];
  for (auto &entry : c)
    r = r * 0.5 + (real)(entry.first + 1) * entry.second;
  return r + m[2];
}

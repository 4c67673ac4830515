// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables that are copied: their list begins in the table itself, as a node without a value,
 * and so may their one bucket lie there, which is told from nodes by what leads to them. */
// llvm: 22
#define NB_AT_ONCE
#include "cases.h"

#include <unordered_map>

typedef std::unordered_map<long, real> Table;

static Table squares(const real *x, int n) {
  Table m;
  for (int i = 0; i < n; i++)
    m[i] = x[i] * x[i];
  return m;
}

static real weighted(Table &m, int n) {
  real r = 0;
  for (long i = 0; i < n; i++)
    r = r * 0.5 + (real)(i + 1) * m[i];
  return r;
}

SUM(hash_copied, 4, 1.0, 2.0, 3.0, 4.0) {
  Table m = squares(x, n);
  Table c = m;
  c[2] *= x[1];
  return weighted(c, n) + m[2];
}

SUM(hash_assigned, 4, 1.0, 2.0, 3.0, 4.0) {
  Table m = squares(x, n), c;
  for (int i = 0; i < n; i++)
    c[i + 2] = x[i];
  real r = c[2];
  c = m;
  c[2] *= x[1];
  return r + weighted(c, n) * m[1];
}

static real total(Table m) {
  real r = 0;
  for (auto &entry : m)
    r += entry.second * entry.second * (real)(1 + entry.first);
  return r;
}

SUM(hash_by_value, 4, 1.0, 2.0, 3.0, 4.0) {
  Table m = squares(x, n);
  return total(m) * total(m);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Vectors in the nodes of a tree: with LLVM 19 they are refused. */
// llvm: 22
#define NB_AT_ONCE
#include "cases.h"

#include <map>
#include <vector>

SUM(map_of_vectors, 3, 1.0, 2.0, 3.0) {
  std::map<int, std::vector<real>> m;
  for (int i = 0; i < n; i++) {
    m[i % 2].push_back(x[i]);
    m[i % 2].push_back(x[i] * x[0]);
  }
  real r = 1;
  for (auto &entry : m)
    for (real v : entry.second)
      r = r * 0.5 + v * v;
  return r;
}

/* Links of nodes and of vectors are moved, which are told from numbers by what comes there. */
SUM(map_of_vectors_copied, 3, 1.0, 2.0, 3.0) {
  std::map<int, std::vector<real>> m;
  for (int i = 0; i < n; i++) {
    m[i % 2].push_back(x[i]);
    m[i % 2].push_back(x[i] * x[0]);
  }
  std::map<int, std::vector<real>> c = m;
  c[1].push_back(x[2] * x[2]);
  real r = 1;
  for (auto &entry : c)
    for (real v : entry.second)
      r = r * 0.5 + v * v;
  return r * m[0][0];
}

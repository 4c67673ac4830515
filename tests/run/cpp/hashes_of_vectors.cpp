// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables whose nodes hold pointers, and reach further than the table's own bucket lies behind
 * its first node: the types of the pointers tell what lies where. LLVM 19 does not say them. */
// llvm: 22
#define NB_AT_ONCE
#include "cases.h"

#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#if defined(__OPTIMIZE__) || !defined(NB_SUBJECT)
template <class Key, class Value> using Table = std::unordered_map<Key, Value>;
#else /* -O0: refused, since nothing says of which type a pointer is */
template <class Key, class Value> using Table = std::map<Key, Value>;
#endif

SUM(hash_of_vectors, 3, 1.0, 2.0, 3.0) {
  Table<int, std::vector<real>> groups;
  for (int i = 0; i < 2 * n; i++)
    groups[i % 2].push_back(x[i % n] * (i + 1));
  return groups[0][1] * groups[1][0] + groups[1].back();
}

SUM(hash_of_vectors_by_name, 4, 1.0, 2.0, 3.0, 0.5) {
  Table<std::string, std::vector<real>> groups;
  const char *names[] = {"red", "green", "blue"};
  for (int i = 0; i < 2 * n; i++)
    groups[names[i % 3]].push_back(x[i % n] * x[0]);
  groups.erase("green");
  real r = 0;
  for (auto &entry : groups)
    for (real v : entry.second)
      r += v * v * v;
  return r;
}

SUM(hash_of_places_that_move, 3, 1.0, 2.0, 3.0) {
  std::list<real> values;
  Table<int, std::list<real>::iterator> places;
  for (int i = 0; i < n; i++) {
    values.push_front(x[i] * x[i]);
    places[i] = values.begin();
  }
  values.splice(values.begin(), values, places[0]);
  return *places[1] * *places[0] + values.front();
}

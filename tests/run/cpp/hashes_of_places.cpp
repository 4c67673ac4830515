// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables that hold places in lists: what tags say of pointers to classes tells these from
 * numbers. */
// llvm: 22
#define NB_AT_ONCE
#include "cases.h"

#include <list>
#include <map>
#include <unordered_map>

SUM(hash_of_places, 3, 1.6, 0.9, 0.7) {
  std::list<real> values;
#if defined(__OPTIMIZE__) || !defined(NB_SUBJECT)
  std::unordered_map<int, std::list<real>::iterator> places;
#else /* -O0: refused, since nothing tells a place from a number */
  std::map<int, std::list<real>::iterator> places;
#endif
  for (int i = 0; i < n; i++) {
    values.push_front(x[i]);
    places[i] = values.begin();
  }
  return *places[1] * *places[0] + *places[2];
}

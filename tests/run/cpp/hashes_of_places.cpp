// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables in recursion, and such as hold places in lists: what tags say of pointers to classes
 * tells these from numbers. */
// load: -fplugin
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

/* What was used last stays. */
SUM(lru_cache, 4, 1.0, 2.0, 0.5, 0.3) {
  std::list<std::pair<int, real>> order;
  std::unordered_map<int, std::list<std::pair<int, real>>::iterator> where;
  real r = 0;
  for (int i = 0; i < 10; i++) {
    int key = (i * 7) % 4;
    auto it = where.find(key);
    if (it != where.end()) {
      order.splice(order.begin(), order, it->second);
    } else {
      order.push_front({key, x[key % n] * x[key % n]});
      where[key] = order.begin();
      if (order.size() > 3) {
        where.erase(order.back().first);
        order.pop_back();
      }
    }
    r = r * 0.5 + order.front().second;
  }
  return r;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Trees whose nodes own maps of others. Where nothing is optimised, the maps' owners are plain
 * pointers. */
// split: none
// llvm: 22
#include "cases.h"
#include <map>
#include <memory>

struct Branch;
#ifdef __OPTIMIZE__
using Owner = std::unique_ptr<Branch>;
#else
using Owner = Branch *;
#endif

struct Branch {
  real value = 0;
  std::map<char, Owner> next;

#ifndef __OPTIMIZE__
  ~Branch() {
    for (auto &step : next)
      delete step.second;
  }
#endif
  void put(const char *word, real amount) {
    if (!*word) {
      value += amount;
      return;
    }
    auto &step = next[*word];
    if (!step)
      step = Owner(new Branch);
    step->put(word + 1, amount);
  }
  real sum(real weight) const {
    real total = value * value * weight;
    for (auto &step : next)
      total += step.second->sum(weight * real(0.5));
    return total;
  }
};
SUM(tries, 4, 1.0, 2.0, 0.5, 0.3) {
  const char *words[] = {"ab", "a", "abc", "ab"};
  Branch root;
  for (int i = 0; i < n; i++)
    root.put(words[i % 4], x[i]);
  return root.sum(1);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Maps that are members of structs with numbers: the tree's head, which nodes lead to, lies beside
 * these, where nodes have their keys and values. */
// split: none
#include "cases.h"
#include <map>
#include <string>

struct Ledger {
  std::map<std::string, real> entries;
  real total = 0;
  int count = 0;

  void add(const char *name, real amount) {
    count++;
    entries[name] += amount;
    total += amount * amount;
  }
};
SUM(beside_texts, 4, 1.0, 2.0, 0.5, 0.3) {
  const char *names[] = {"ab", "a", "a longer name than strings hold", "ab"};
  Ledger ledger;
  for (int i = 0; i < n; i++)
    ledger.add(names[i % 4], x[i]);
  real sum = ledger.total * (real)ledger.count;
  for (auto &entry : ledger.entries)
    sum += entry.second * entry.second * (real)(int)entry.first.size();
  return sum;
}

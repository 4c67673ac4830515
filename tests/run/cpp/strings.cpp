// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Strings beside numbers: members of structs, keys of trees and hash tables, what decides. */
#define NB_AT_ONCE
#include "cases.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Named {
  std::string name;
  real value;
};

SUM(strings_in_vector, 4, 0.7, 1.3, -0.4, 2.1) {
  std::vector<Named> all;
  for (int i = 0; i < n; i++)
    all.push_back({"a parameter with a long name " + std::to_string(i), x[i]});
  all.erase(all.begin() + 1);
  all.insert(all.begin(), Named{"new", x[1] * x[2]});
  all.resize(5);
  real r = 1;
  for (auto &one : all)
    r += one.value * one.value * (int)one.name.size();
  return r;
}

SUM(strings_sorted, 4, 0.7, 1.3, -0.4, 2.1) {
  std::vector<Named> all;
  for (int i = 0; i < n; i++)
    all.push_back({i % 2 ? "odd" : "even", x[i]});
  std::sort(all.begin(), all.end(),
            [](const Named &a, const Named &b) { return a.value < b.value; });
  real r = 0;
  for (unsigned i = 0; i < all.size(); i++)
    r += all[i].value * all[i].value * (int)(all[i].name == "odd" ? i + 1 : 2 * i);
  return r;
}

SUM(strings_copied, 3, 0.7, 1.3, -0.4) {
  Named a{"alpha", x[0]};
  Named b = a;
  b.value *= x[1];
  b.name += " and more text than fits into the string itself";
  Named c;
  c = b;
  std::swap(a, c);
  Named d = std::move(c);
  return a.value * d.value * x[n - 1] * (int)a.name.size();
}

class Model {
  struct Entry {
    std::string name;
    real value;
    bool fixed;
  };
  std::vector<Entry> entries;

public:
  void add(const std::string &name, real value, bool fixed = false) {
    entries.push_back({name, value, fixed});
  }
  real &operator[](const std::string &name) {
    unsigned i = 0;
    while (entries[i].name != name)
      i++;
    return entries[i].value;
  }
  real evaluate(real t) const {
    real r = 0;
    for (auto &entry : entries)
      if (!entry.fixed)
        r = r * t + entry.value;
    return r;
  }
};

SUM(strings_of_model, 5, 0.7, 1.3, -0.4, 2.1, 0.9) {
  Model model;
  model.add("a", x[0]);
  model.add("b", x[1]);
  model.add("fixed", x[2], n > 2);
  model["b"] *= x[3];
  return model.evaluate(x[4]) + model["a"] * model["fixed"];
}

SUM(strings_as_keys, 4, 0.7, 1.3, -0.4, 2.1) {
  std::map<std::string, real> tree;
  std::unordered_map<std::string, real> table;
  for (int i = 0; i < n; i++) {
    tree["key" + std::to_string(i % 3)] += x[i];
    table["key" + std::to_string(i)] = x[i] * x[0];
  }
  real r = 0;
  for (auto &entry : tree)
    r += entry.second * table.at(entry.first);
  return tree.count("none") ? 0 : r;
}

SUM(strings_decide, 5, 0.7, 1.3, 0.4, 2.1, 0.9) {
  std::string text;
  real r = 1;
  for (int i = 0; i < n; i++) {
    text.push_back((char)('a' + i));
    if (text.back() == 'c')
      r = r * x[i];
    else
      r = r + x[i] * (int)text.size();
    if (i == 3)
      text[0] = 'z';
    if (text[0] == 'z')
      r *= x[0];
    if (text.find('d') != std::string::npos)
      r = r * r * 0.1;
  }
  return r;
}

SUM(strings_exchanged, 5, 0.7, 1.3, 0.4, 2.1, 0.9) {
  std::string last;
  real r = 1;
  for (int i = 0; i < n; i++) {
    std::string text = std::to_string(i * 7);
    if (text.size() > 1 && text[1] == '4')
      r *= x[i];
    for (char c : text)
      r = r * 0.5 + x[i] * (c - '0');
    if (text.c_str()[0] == '2')
      r = sin(r) * x[i];
    std::swap(last, text);
    if (last > text)
      r += x[i] * r;
    last = std::move(text);
  }
  return r;
}

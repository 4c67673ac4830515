// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Objects that live until the program ends: their destructors are given to the library, and no call
 * through a pointer leads to them. */
#define NB_AT_ONCE
#include "cases.h"

#include <memory>
#include <vector>

struct Setting {
  std::vector<double> values;
};

static std::vector<Setting> settings;

struct Weight {
  explicit Weight(real v) : value(v) {}
  real value;
};

SUM(shared_in_a_vector, 3, 1.0, 2.0, 3.0) {
  std::vector<std::shared_ptr<Weight>> v(2, std::make_shared<Weight>(x[0] * x[1]));
  v.push_back(std::make_shared<Weight>(x[2]));
  v[0]->value *= v[2]->value;
  return v[1]->value * v[2]->value + n + (real)(int)settings.size();
}

SUM(locked, 3, 1.0, 2.0, 3.0) {
  auto a = std::make_shared<Weight>(x[0] * x[1]);
  std::weak_ptr<Weight> w = a;
  auto b = w.lock();
  return b ? b->value * x[2] * n : x[0];
}

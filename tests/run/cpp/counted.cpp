// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs of an integer and a number, which registers hold as one integer, in vectors and by value,
 * in functions that clean up if what they call throws. */
#include "cases.h"
#include <algorithm>
#include <list>
#include <memory>
#include <vector>

struct Counted {
  int count;
  real value;
};

static Counted make(real value, int i) { return {i + 1, value * value}; }
static real worth(const Counted &c) { return c.value * real(c.count); }

/* Calls itself, so that it stays a call. */
static Counted scaled(Counted c, real scale, int times) {
  if (times > 0)
    c = scaled(c, scale, times - 1);
  c.value *= scale;
  c.count++;
  return c;
}

SUM(counted_in_a_vector, 4, 1.0, 2.0, 0.5, 0.3) {
  std::vector<Counted> all;
  for (int i = 0; i < n; i++)
    all.push_back(make(x[i], i));
  real total = 0;
  for (auto &one : all)
    total = total * real(0.5) + worth(one);
  return total;
}

SUM(counted_by_value, 4, 1.0, 2.0, 0.5, 0.3) {
  std::vector<Counted> all(n);
  for (int i = 0; i < n; i++)
    all[i] = make(x[i], i);
  for (auto &one : all)
    one = scaled(one, x[0], 2);
  real total = 0;
  for (auto &one : all)
    total = total * real(0.5) + worth(one);
  return total;
}

SUM(counted_in_a_list, 4, 1.0, 2.0, 0.5, 0.3) {
  std::list<Counted> all;
  for (int i = 0; i < n; i++)
    all.push_front(scaled(make(x[i], i), x[n - 1], 1));
  real total = 0;
  for (auto &one : all)
    total = total * real(0.5) + worth(one);
  return total;
}

SUM(counted_and_sorted, 4, 1.0, 2.0, 0.5, 0.3) {
  std::vector<Counted> all;
  for (int i = 0; i < n; i++)
    all.push_back(make(x[i], i));
  std::sort(all.begin(), all.end(),
            [](const Counted &a, const Counted &b) { return worth(a) < worth(b); });
  real total = 0;
  for (auto &one : all)
    total = total * real(0.5) + worth(one);
  return total;
}

/* Two registers hold it. */
struct Weighed {
  real weight;
  int count;
  real value;
};

static Weighed weigh(Weighed w, real scale, int times) {
  if (times > 0)
    w = weigh(w, scale, times - 1);
  w.value *= scale;
  std::swap(w.value, w.weight);
  return w;
}

SUM(weighed_by_value, 4, 1.0, 2.0, 0.5, 0.3) {
  std::vector<Weighed> all;
  for (int i = 0; i < n; i++)
    all.push_back(weigh({x[i], i + 1, x[0]}, x[n - 1], 2));
  for (auto &one : all)
    one = weigh(one, x[1], 1);
  real total = 0;
  for (auto &one : all)
    total = total * real(0.5) + one.value * real(one.count) + one.weight;
  return total;
}

struct Owner {
  std::unique_ptr<real> value;
  int count;
};

SUM(owners_sorted, 4, 1.0, 2.0, 0.5, 0.3) {
  std::vector<Owner> all;
  for (int i = 0; i < n; i++)
    all.push_back({std::make_unique<real>(x[i] * x[i]), (i * 3) % 4});
  std::sort(all.begin(), all.end(),
            [](const Owner &a, const Owner &b) { return a.count < b.count; });
  real total = 0;
  for (auto &one : all)
    total = total * real(0.5) + *one.value;
  return total;
}

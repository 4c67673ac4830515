// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Algorithms, smart pointers, and vocabulary types of the library. */
#define NB_AT_ONCE
#include "cases.h"

/* What the library itself uses of what it deprecates. */
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <valarray>
#include <vector>

SUM(accumulated, 4, 1.0, 2.0, 3.0, 4.0) {
  real sum = std::accumulate(x, x + n, real(0));
  real product = std::accumulate(x, x + n, real(1), [](real a, real b) { return a * b; });
  return sum * product;
}

SUM(inner_product, 4, 1.0, 2.0, 3.0, 4.0) {
  std::vector<real> v(x, x + n), w((unsigned)n);
  std::transform(v.begin(), v.end(), w.begin(), [](real a) { return a * a; });
  std::partial_sum(w.begin(), w.end(), w.begin());
  return std::inner_product(v.begin(), v.end(), w.begin(), real(0));
}

SUM(sorted, 5, 3.0, 1.0, 4.0, 2.0, 2.5) {
  std::vector<real> v(x, x + n);
  std::sort(v.begin(), v.end());
  real r = 0;
  for (int i = 0; i < n; i++)
    r += v[(unsigned)i] * v[(unsigned)i] * (i + 1);
  return r;
}

SUM(sorted_downwards, 4, 3.0, 1.0, 4.0, 2.0) {
  real v[4];
  std::copy(x, x + n, v);
  std::sort(v, v + n, [](const real &a, const real &b) { return a > b; });
  std::reverse(v, v + 2);
  return v[0] * v[1] - v[2] / v[3] + *std::max_element(v, v + n) * *std::min_element(v, v + n);
}

SUM(stable_sorted, 5, 3.0, 1.0, 4.0, 2.0, 2.5) {
  std::vector<real> v(x, x + n);
  std::stable_sort(v.begin(), v.end());
  real r = 0;
  for (const real &e : v)
    r = r * 0.5 + e * e;
  return r;
}

struct Mote {
  int id;
  real at[2];
  float weight;
  real mass;
  bool operator<(const Mote &other) const { return at[0] < other.at[0]; }
};

SUM(structs_stably_sorted, 4, 3.0, 1.0, 4.0, 2.0) {
  std::vector<Mote> v;
  for (int i = 0; i < n; i++)
    v.push_back({i, {x[i], x[i] * x[0]}, 0.5f * (float)i, x[n - 1 - i]});
  std::stable_sort(v.begin(), v.end());
  std::inplace_merge(v.begin(), v.begin() + 2, v.end());
  real r = 0;
  for (const Mote &g : v)
    r = r * g.at[0] + g.at[1] * g.mass * g.id + g.weight;
  return r;
}

SUM(filled_and_clamped, 3, 1.0, -2.0, 3.0) {
  std::vector<real> v((unsigned)n);
  std::fill(v.begin(), v.end(), x[0]);
  std::for_each(v.begin(), v.end(), [&](real &e) { e += x[1]; });
  std::generate_n(v.begin(), 1, [&] { return std::max(x[0] * x[2], real(2)); });
  return std::clamp(v[0], real(0), real(10)) * v[1] * v[2] + std::min(x[0], x[2]);
}

struct Weight {
  explicit Weight(real v) : value(v) {}
  real value;
};

SUM(unique_pointer, 3, 1.0, 2.0, 3.0) {
  auto a = std::make_unique<Weight>(x[0] * x[1]);
  std::unique_ptr<Weight> b(new Weight(x[2]));
  b->value *= a->value;
  a = std::move(b);
  return a->value * a->value + n;
}

SUM(unique_array, 3, 1.0, 2.0, 3.0) {
  std::unique_ptr<real[]> a(new real[(unsigned)n]);
  for (int i = 0; i < n; i++)
    a[(unsigned)i] = x[i] * x[0];
  return a[0] * a[1] * a[2];
}

SUM(shared_pointer, 3, 1.0, 2.0, 3.0) {
  auto a = std::make_shared<Weight>(x[0] * x[1]);
  std::shared_ptr<Weight> b = a;
  b->value *= x[2];
  return a->value * b->value + n;
}

SUM(tuples_and_pairs, 3, 1.0, 2.0, 3.0) {
  std::pair<real, int> p(x[0] * x[1], n);
  std::tuple<real, real, int> t(x[2], p.first, 2);
  auto [a, b, k] = t;
  return a * b * k + std::get<0>(t) * p.second;
}

SUM(optional_value, 3, 1.0, -2.0, 3.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    std::optional<real> root;
    if (x[i] > 0)
      root = sqrt(x[i]);
    r *= root.value_or(x[i]);
  }
  return r;
}

SUM(valarray, 3, 1.0, 2.0, 3.0) {
  std::valarray<real> v(x, (unsigned)n);
  std::valarray<real> w = v * v + x[0];
  w *= v;
  return w.sum() * v[1];
}

SUM(function_of_value, 3, 1.0, 2.0, 3.0) {
  real a = x[0] * x[1];
  std::function<real(real)> f = [a](real v) { return a * v * v; };
  return f(x[2]) + f(a) * n;
}

SUM(function_chosen, 3, 1.0, -2.0, 3.0) {
  real r = 1;
  for (int i = 0; i < n; i++) {
    std::function<real(real)> f;
    if (x[i] > 0)
      f = [&](real v) { return v * x[0]; };
    else
      f = [=](real v) { return v * v + x[1]; };
    r = f(r) + r;
  }
  return r;
}

static NOINLINE real twice(const std::function<real(real)> &f, real v) { return f(f(v)); }

SUM(function_as_argument, 3, 1.0, 2.0, 3.0) {
  real factor = x[1] * x[2];
  return twice([&](real v) { return factor * v + x[0]; }, x[0]) + n;
}

struct Line {
  real a, b;
  real operator()(real v) const { return a * v + b; }
};

SUM(function_copied, 3, 1.0, 2.0, 3.0) {
  std::function<real(real)> f = Line{x[0] * x[2], x[1]};
  std::function<real(real)> g = f;
  return g(x[0]) * f(x[1]) + n;
}

SUM(pairs_sorted_stably, 6, 1.3, 0.7, 2.1, 1.9, 0.4, 1.1) {
  std::vector<std::pair<real, long>> pairs;
  for (long i = 0; i < n; i++)
    pairs.emplace_back(x[i] * x[i], i);
  std::stable_sort(pairs.begin(), pairs.end());
  real r = 0;
  for (auto &pair : pairs)
    r = r * real(0.5) + pair.first * (real)(1 + pair.second);
  return r;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* std::function in vectors and structs, and made empty. */
// reals: double
#define NB_AT_ONCE
#include "cases.h"

#include <functional>
#include <variant>
#include <vector>

SUM(functions_of_values, 5, 0.7, 1.3, -0.4, 2.1, 0.9) {
  std::vector<std::function<real(real)>> functions;
  for (int i = 0; i < n; i++) {
    real a = x[i];
    functions.push_back([a](real v) { return a * v + 1; });
  }
  real r = 1;
  for (auto &f : functions)
    r = f(r);
  return r;
}

SUM(functions_that_change, 5, 0.7, 1.3, -0.4, 2.1, 0.9) {
  std::vector<std::function<void(real &)>> functions;
  for (int i = 0; i < n; i++) {
    real a = x[i];
    if (i % 2)
      functions.push_back([a](real &v) { v *= a; });
    else
      functions.push_back([a](real &v) { v += a; });
  }
  real r = 1;
  for (auto &f : functions)
    f(r);
  return r;
}

struct Term {
  real weight;
  std::function<real(real)> f;
};

SUM(functions_with_weights, 4, 0.7, 1.3, 0.4, 2.1) {
  std::vector<Term> terms;
  for (int i = 0; i + 1 < n; i++) {
    real a = x[i];
    terms.push_back({x[i + 1], [a](real v) { return sin(a * v); }});
  }
  real r = 0;
  for (auto &term : terms)
    r += term.weight * term.f(1.5);
  return r;
}

SUM(functions_copied, 5, 0.7, 1.3, -0.4, 2.1, 0.9) {
  std::vector<std::function<real(real)>> functions(3);
  for (int i = 0; i < 3; i++) {
    real a = x[i], b = x[i + 1], c = x[i + 2];
    functions[(unsigned)i] = [a, b, c](real v) { return a * v + b * c; };
  }
  auto copies = functions;
  real r = x[n - 1];
  for (auto &f : copies)
    r = f(r);
  return r;
}

SUM(functions_assigned_later, 3, 0.7, 1.3, -0.4) {
  std::function<real(real)> f;
  real a = x[0];
  if (x[1] > 0)
    f = [a](real v) { return a * v * v; };
  else
    f = [](real v) { return sin(v); };
  return f(x[1]) + f(x[n - 1]) * x[1];
}

struct Pushed {
  real value;
};

struct Applied {
  real (*function)(real);
};

static real squared(real v) { return v * v; }

SUM(functions_in_variants, 2, 0.6, 0.9) {
  std::vector<std::variant<Pushed, Applied>> code = {Pushed{x[0]}, Applied{squared}, Pushed{x[1]}};
  real r = 0;
  for (auto &step : code) {
    if (auto *pushed = std::get_if<Pushed>(&step))
      r += pushed->value;
    else
      r = std::get<Applied>(step).function(r) * n;
  }
  return r;
}

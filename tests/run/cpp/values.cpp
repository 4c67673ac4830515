// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* std::variant; random numbers, strings and streams, which carry no derivative. */
#define NB_AT_ONCE
#include "cases.h"

#include <iomanip>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <variant>

SUM(variant_held, 3, 1.0, 2.0, 3.0) {
  std::variant<int, real> v = n;
  real r = std::get<int>(v) * x[0];
  v = x[1] * x[1];
  return r + std::get<real>(v) * x[2];
}

struct Circle {
  real radius;
};
struct Box {
  real a, b;
};

SUM(variant_visited, 4, 1.0, 2.0, 3.0, 4.0) {
  real area = 0;
  for (int i = 0; i + 1 < n; i++) {
    std::variant<Circle, Box> shape;
    if (i % 2)
      shape = Circle{x[i]};
    else
      shape = Box{x[i], x[i + 1]};
    area += std::visit(
        [](const auto &s) -> real {
          if constexpr (std::is_same_v<std::decay_t<decltype(s)>, Circle>)
            return s.radius * s.radius * 3;
          else
            return s.a * s.b;
        },
        shape);
  }
  return area;
}

SUM(random_uniform, 3, 1.0, 2.0, 3.0) {
  std::mt19937 engine(42);
  std::uniform_real_distribution<double> uniform(0, 1);
  real r = 0;
  for (int i = 0; i < n; i++)
    r += x[i] * x[i] * (real)uniform(engine);
  return r;
}

SUM(random_normal, 3, 1.0, 2.0, 3.0) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal(1, 2);
  real r = 1;
  for (int i = 0; i < n; i++)
    r += exp(x[i] * (real)0.1 * (real)normal(engine));
  return r;
}

SUM(random_choice, 3, 1.0, 2.0, 3.0) {
  std::minstd_rand engine(3);
  std::uniform_int_distribution<int> pick(0, n - 1);
  std::bernoulli_distribution coin(0.5);
  real r = 1;
  for (int i = 0; i < 8; i++) {
    int k = pick(engine);
    r = coin(engine) ? r * x[k] : r + x[k];
  }
  return r;
}

SUM(text_built, 3, 1.0, 2.0, 3.0) {
  std::string name = "case";
  name += std::to_string(n);
  if (name.size() > 4)
    name.append(" and a longer text that is on the heap");
  return x[0] * x[1] * (int)name.size();
}

SUM(text_compared, 3, 1.0, 2.0, 3.0) {
  std::string kind = n > 2 ? "cubic" : "square";
  real r = 0;
  for (int i = 0; i < n; i++)
    r += kind == "cubic" ? x[i] * x[i] * x[i] : x[i] * x[i];
  return r;
}

SUM(stream_printed, 3, 1.0, 2.0, 3.0) {
  std::ostringstream out;
  real r = x[0] * x[1];
  out << "value " << n << std::setw(3) << std::endl;
  r *= x[2];
  std::cerr << "";
  return r * r;
}

SUM(stream_printed_active, 3, 1.0, 2.0, 3.0) {
  std::ostringstream out;
  real r = x[0] * x[1];
  out << VALUE(r) << "\n";
  std::cerr << std::setprecision(3) << std::string(out.str().size() > 100 ? "x" : "");
  return r * r * x[2];
}

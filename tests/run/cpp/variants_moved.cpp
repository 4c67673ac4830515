// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Variants of numbers and owners of what they lead to, which are moved: the optimiser makes one
 * move of what both are. At -O0 that is refused. */
// reals: double
// split: none
#include "cases.h"
#include <memory>
#include <variant>

struct Sum;
struct Product;
using Expression = std::variant<real, std::unique_ptr<Sum>, std::unique_ptr<Product>>;
struct Sum {
  Expression left;
  real right;
};
struct Product {
  Expression left;
  real right;
};

static real value(const Expression &e) {
  if (auto *number = std::get_if<real>(&e))
    return *number;
  if (auto *sum = std::get_if<1>(&e))
    return value((*sum)->left) + (*sum)->right;
  auto &product = std::get<2>(e);
  return value(product->left) * product->right;
}

[[maybe_unused]] static real expression(const real *x) {
  Expression e = x[0];
  e = std::make_unique<Sum>(Sum{std::move(e), x[1]});
  e = std::make_unique<Product>(Product{std::move(e), x[2]});
  return value(e);
}

struct Chain;
using Link = std::variant<real, std::unique_ptr<Chain>>;
struct Chain {
  Link left;
  real right;
};

static real product(const Link &link) {
  if (auto *number = std::get_if<real>(&link))
    return *number;
  auto &chain = std::get<1>(link);
  return product(chain->left) * chain->right;
}

[[maybe_unused]] static real chain(const real *x, int n) {
  Link link = x[0];
  for (int i = 1; i < n; i++)
    link = std::make_unique<Chain>(Chain{std::move(link), x[i]});
  return product(link);
}

#if !defined(__OPTIMIZE__) && defined(NB_SUBJECT)
#define expression(x) (((x)[0] + (x)[1]) * (x)[2])
#define chain(x, n) ((x)[0] * (x)[1] * (x)[(n) - 1])
#endif

SUM(tree_of_three_kinds, 3, 0.6, 0.9, 0.7) { return n == 3 ? expression(x) : 0; }

SUM(chain_as_long_as_it_gets, 3, 0.6, 0.9, 0.7) { return chain(x, n); }

SUM(number_or_index, 3, 0.6, 0.9, 0.7) {
  std::variant<real, int> first = x[0], second = n - 1;
  std::variant<real, int> third = std::move(first);
  return std::get<0>(third) * x[std::get<1>(second)];
}

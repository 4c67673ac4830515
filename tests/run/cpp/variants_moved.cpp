// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Variants of numbers and owners of what they lead to, which are moved: the optimiser makes one
 * move of what both are. At -O0 nothing but the run says what is moved. */
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

static real expression(const real *x) {
  Expression e = x[0];
  e = std::make_unique<Sum>(Sum{std::move(e), x[1]});
  e = std::make_unique<Product>(Product{std::move(e), x[2]});
  return value(e);
}

/* Where the optimiser knows the one owner, what is moved is a pointer too, which is freed. */
struct Link;
using Chain = std::variant<real, std::unique_ptr<Link>>;
struct Link {
  Chain left;
  real right;
};

static real value(const Chain &e) {
  if (auto *number = std::get_if<real>(&e))
    return *number;
  auto &link = std::get<1>(e);
  return value(link->left) * link->right;
}

static real chain(const real *x, int n) {
  Chain e = x[0];
  for (int i = 1; i < n; i++)
    e = std::make_unique<Link>(Link{std::move(e), x[i]});
  return value(e);
}

struct Pair;
using Tree = std::variant<real, std::unique_ptr<Pair>>;
struct Pair {
  Tree left, right;
};

static real value(const Tree &e) {
  if (auto *number = std::get_if<real>(&e))
    return *number;
  auto &pair = std::get<1>(e);
  return value(pair->left) + value(pair->right) * value(pair->right);
}

static real tree(const real *x, int n) {
  Tree e = x[0];
  for (int i = 1; i < n; i++)
    e = std::make_unique<Pair>(Pair{std::move(e), x[i]});
  return value(e);
}

SUM(tree_of_three_kinds, 3, 0.6, 0.9, 0.7) { return n == 3 ? expression(x) : 0; }

SUM(chain_of_one_kind, 3, 0.6, 0.9, 0.7) { return chain(x, n); }

SUM(tree_of_one_kind, 3, 0.6, 0.9, 0.7) { return tree(x, n); }

SUM(number_or_index, 3, 0.6, 0.9, 0.7) {
  std::variant<real, int> first = x[0], second = n - 1;
  std::variant<real, int> third = std::move(first);
  return std::get<0>(third) * x[std::get<1>(second)];
}

static Tree joined(Tree left, Tree right) {
  auto pair = std::make_unique<Pair>();
  pair->left = std::move(left);
  pair->right = std::move(right);
  return pair;
}

SUM(tree_of_trees, 3, 0.6, 0.9, 0.7) {
  Tree t = joined(joined(x[0], x[1]), joined(x[1], x[n - 1]));
  return value(t) * x[0];
}

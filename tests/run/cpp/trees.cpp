// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Trees of objects that own others, made in the differentiated function. */
#define NB_AT_ONCE
#include "cases.h"

#include <memory>
#include <utility>

struct Term {
  virtual ~Term() = default;
  virtual real value(real at) const = 0;
  virtual std::unique_ptr<Term> copy() const = 0;
};

struct Slope : Term {
  explicit Slope(real a) : a(a) {}
  real value(real at) const override { return a * at; }
  std::unique_ptr<Term> copy() const override { return std::make_unique<Slope>(a); }
  real a;
};

struct Sum : Term {
  Sum(std::unique_ptr<Term> left, std::unique_ptr<Term> right)
      : left(std::move(left)), right(std::move(right)) {}
  real value(real at) const override { return left->value(at) + right->value(at) * at; }
  std::unique_ptr<Term> copy() const override {
    return std::make_unique<Sum>(left->copy(), right->copy());
  }
  std::unique_ptr<Term> left, right;
};

SCALAR2(trees_of_two, 1.5, 2.5) {
  std::unique_ptr<Term> one = std::make_unique<Slope>(x);
  std::unique_ptr<Term> sum = std::make_unique<Sum>(std::move(one), std::make_unique<Slope>(x * y));
  return sum->value(y);
}

static std::unique_ptr<Term> grown(const real *x, int n) {
  std::unique_ptr<Term> tree = std::make_unique<Slope>(x[0]);
  for (int i = 1; i < n; i++)
    tree = std::make_unique<Sum>(std::move(tree), std::make_unique<Slope>(x[i]));
  return tree;
}

SUM(trees_that_grow, 3, 1.0, 2.0, 3.0) { return grown(x, n)->value(x[n - 1]); }

SUM(trees_that_copy_themselves, 3, 1.0, 2.0, 3.0) {
  std::unique_ptr<Term> tree = grown(x, n);
#if defined(__OPTIMIZE__) || !defined(NB_SUBJECT)
  std::unique_ptr<Term> other = tree->copy();
#else /* -O0: refused, since what is freed is not known to be of the function's own */
  std::unique_ptr<Term> other = grown(x, n);
#endif
  return tree->value(x[1]) * other->value(x[2]);
}

/* A pointer to where a node hangs leads to a member of the node above it, or to a variable. */
struct Node {
  Node(real key, real weight) : key(key), weight(weight) {}
  real key, weight;
  std::unique_ptr<Node> less, more;
};

static void insert(std::unique_ptr<Node> &place, real key, real weight) {
  if (!place)
    place = std::make_unique<Node>(key, weight);
  else
    insert(key < place->key ? place->less : place->more, key, weight);
}

static real walk(const Node *node, real sum) {
  if (!node)
    return sum;
  sum = walk(node->less.get(), sum) * 0.75 + node->key * node->weight;
  return walk(node->more.get(), sum);
}

SUM(trees_of_keys, 4, 2.0, 1.0, 4.0, 3.0) {
  std::unique_ptr<Node> root;
  for (int i = 0; i < n; i++)
    insert(root, x[i], x[(i + 2) % n]);
  return walk(root.get(), x[0]);
}

static void move_up_left(std::unique_ptr<Node> &place) {
  if (!place || !place->less)
    return;
  std::unique_ptr<Node> up = std::move(place->less);
  place->less = std::move(up->more);
  up->more = std::move(place);
  place = std::move(up);
}

static void move_up_right(std::unique_ptr<Node> &place) {
  if (!place || !place->more)
    return;
  std::unique_ptr<Node> up = std::move(place->more);
  place->more = std::move(up->less);
  up->less = std::move(place);
  place = std::move(up);
}

SUM(trees_that_turn, 5, 2.0, 1.0, 5.0, 4.0, 6.0) {
  std::unique_ptr<Node> root;
  for (int i = 0; i < n; i++)
    insert(root, x[i], x[(i + 2) % n]);
  move_up_right(root);
  move_up_left(root);
  move_up_left(root->more);
  return walk(root.get(), x[0]);
}

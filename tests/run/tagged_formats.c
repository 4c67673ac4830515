// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
// tolerance: 1e-6
// split: none
/* Values that are a double, a float or a link, as a tag beside them says: what is moved as one of
 * them is another. */
#include "cases.h"

typedef struct Value {
  union {
    wide d;
    single f;
    struct Value *link;
  } u;
  long tag;
} Value;

enum { DOUBLE, LINK, FLOAT };

/* Others may call it: its argument stays a pointer. */
real value_at(const Value *at);

NOINLINE real value_at(const Value *at) {
  Value value = *at;
  if (value.tag == LINK)
    return (real)0.5 * value_at(value.u.link);
  return value.tag == DOUBLE ? (real)value.u.d : (real)value.u.f;
}

static NOINLINE real value_of(Value value) {
  return value.tag == LINK ? (real)0.5 * value_at(value.u.link) : (real)value.u.f;
}

SUM(read_twice, 2, 1.5, 0.75) {
  Value value = {{0}, 0};
  value.tag = FLOAT;
  value.u.f = (single)(x[0] * x[1]);
  return value_at(&value) * (real)0.25 + value_of(value) + x[n - 1];
}

SUM(copied_into_an_array, 2, 1.5, 0.75) {
  Value value = {{0}, 0}, *list = (Value *)calloc(4, sizeof *list);
  value.tag = FLOAT;
  value.u.f = (single)(x[0] * x[1]);
  for (int i = 0; i < 4; i++)
    list[i] = value;
  list[2].tag = LINK;
  list[2].u.link = list;
  real sum = value_at(&list[2]) * x[0] + value_at(&list[n - 1]) * (real)0.5 + value_at(&list[3]);
  free(list);
  return sum;
}

/* --- Pairs of links or of numbers: the declaration knows the one, accesses both. --- */

typedef struct Node {
  char tag;
  union {
    struct {
      struct Node *left, *right;
    } links;
    struct {
      real a, b;
    } pair;
  } u;
} Node;

static real at_once(const Node *node) { return node->tag ? node->u.pair.a : 0; }

static real product(Node node) {
  if (node.tag)
    return node.u.pair.a * node.u.pair.b;
  return at_once(node.u.links.left) * at_once(node.u.links.right);
}

SUM(handed_on_twice, 2, 1.5, 0.75) {
  Node node, other;
  memset(&node, 0, sizeof node);
  memset(&other, 0, sizeof other);
  node.tag = 1;
  node.u.pair.a = x[0];
  node.u.pair.b = x[n - 1];
  real first = product(node);
  Node copy = node;
  other.u.links.left = &node;
  other.u.links.right = &copy;
  return first * x[0] + product(copy) + product(other);
}

SUM(pairs_in_a_growing_list, 4, 0.5, 1.5, 0.75, 1.25) {
  Node *list = NULL, each = {1, {{NULL, NULL}}};
  real sum = 0;
  int count = 0, room = 0;
  each.u.pair.a = x[0];
  each.u.pair.b = x[1];
  for (int i = 0; i < n; i++) {
    if (count == room) {
      room = room ? 2 * room : 1;
      list = (Node *)realloc(list, (size_t)room * sizeof *list);
    }
    list[count++] = each;
  }
  for (int i = 0; i < count; i++)
    sum += product(list[i]) * x[i];
  free(list);
  return sum;
}

/* --- Given by value, from an array that is copied from the caller's. --- */

static real sum_of(Node node, int depth) {
  if (depth <= 0)
    return (real)0.25;
  Node own = node;
  if (own.tag)
    return own.u.pair.a * own.u.pair.b;
  return sum_of(*own.u.links.left, depth - 1) + sum_of(*own.u.links.right, depth - 1);
}

static NOINLINE real sum_of_copies(const Node *nodes, int index) {
  Node own[4];
  for (int i = 0; i < 4; i++)
    own[i] = nodes[i];
  return sum_of(own[index & 3], 3);
}

SUM(trees_in_a_copied_array, 3, 1.5, 0.75, 1.25) {
  Node nodes[4];
  memset(nodes, 0, sizeof nodes);
  for (int i = 0; i < 3; i++) {
    nodes[i].tag = 1;
    nodes[i].u.pair.a = x[i];
    nodes[i].u.pair.b = x[i] * x[0];
  }
  nodes[3].u.links.left = &nodes[1];
  nodes[3].u.links.right = &nodes[n - 1];
  return sum_of_copies(nodes, n) * x[1] + sum_of_copies(nodes, (int)x[0]);
}

/* --- A float or a link, behind a tag of one byte, through characters. --- */

typedef struct {
  char tag;
  union {
    real *link;
    single f;
  } u;
} Short;

static real looked_up(const Short *at) {
  Short own = *at;
  return own.tag ? *own.u.link : 0;
}

SUM(through_characters, 2, 1.5, 0.75) {
  Short to[2], from[2];
  char bytes[sizeof(Short)];
  memset(to, 0, sizeof to);
  for (int i = 0; i < n; i++) {
    to[i].u.f = (single)x[i];
    from[i].tag = 1;
    from[i].u.link = &x[i];
  }
  memcpy(bytes, &from[0], sizeof bytes);
  memcpy(&to[(int)x[0]], bytes, sizeof bytes);
  return looked_up(&to[1]) * x[1];
}

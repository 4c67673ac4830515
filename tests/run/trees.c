// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Search trees that grow through pointers to the pointers in their nodes, which lie in an array. */
#include "cases.h"

typedef struct Node {
  int key, height;
  real value, sum;
  struct Node *child[2];
} Node;

static int height(const Node *node) { return node ? node->height : 0; }

static void update(Node *node) {
  Node *left = node->child[0], *right = node->child[1];
  node->height = 1 + (height(left) > height(right) ? height(left) : height(right));
  node->sum =
      node->value + (left ? (real)0.9 * left->sum : 0) + (right ? right->sum * node->value : 0);
}

static void insert(Node **at, int key, real value) {
  Node *node = *at;
  if (!node) {
    *at = node = (Node *)calloc(1, sizeof *node);
    node->key = key;
    node->value = value;
  } else if (key == node->key) {
    node->value += value;
  } else {
    insert(&node->child[key > node->key], key, value);
  }
  update(*at);
}

static void clear(Node *node) {
  if (!node)
    return;
  clear(node->child[0]);
  clear(node->child[1]);
  free(node);
}

SUM(tree_that_grows, 4, 0.3, 0.9, -0.2, 0.6) {
  Node *root = NULL;
  for (int i = 0; i < 3 * n; i++)
    insert(&root, (i * 7) % 11, x[i % n] * (1 + i % 3));
  real r = root->sum * root->value;
  clear(root);
  return r;
}

static void rotate(Node **at, int side) {
  Node *node = *at, *other = node->child[!side];
  node->child[!side] = other->child[side];
  other->child[side] = node;
  *at = other;
  update(node);
  update(other);
}

static void balance(Node **at) {
  Node *node = *at;
  update(node);
  int more = height(node->child[1]) - height(node->child[0]);
  int side = more > 0;
  if (more >= -1 && more <= 1)
    return;
  if (height(node->child[side]->child[!side]) > height(node->child[side]->child[side]))
    rotate(&node->child[side], side);
  rotate(at, !side);
}

static void insert_balanced(Node **at, int key, real value) {
  if (!*at) {
    *at = (Node *)calloc(1, sizeof **at);
    (*at)->key = key;
    (*at)->value = value;
  } else if (key == (*at)->key) {
    (*at)->value += value;
  } else {
    insert_balanced(&(*at)->child[key > (*at)->key], key, value);
  }
  balance(at);
}

SUM(tree_that_is_balanced, 4, 0.3, 0.9, -0.2, 0.6) {
  Node *root = NULL;
  for (int i = 0; i < 3 * n; i++)
    insert_balanced(&root, i < 6 ? i : (i * 7) % 11, x[i % n] * (1 + i % 3));
  real r = root->sum * root->value + root->child[1]->sum;
  clear(root);
  return r;
}

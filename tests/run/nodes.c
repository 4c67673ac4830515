// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Nodes that are found, put in and taken out through pointers to the pointers that lead to them. */
#include "cases.h"

typedef struct Node {
  real key;
  int count;
  struct Node *left, *right;
  single weight;
} Node;

static Node **find(Node **at, real key) {
  while (*at && key != (*at)->key)
    at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  return at;
}

static void insert(Node **root, real key) {
  Node **at = find(root, key);
  if (!*at) {
    *at = (Node *)calloc(1, sizeof **at);
    (*at)->key = key;
    (*at)->weight = 2;
  }
  (*at)->count++;
}

static void take_out(Node **root, real key) {
  Node **at = find(root, key), *gone = *at;
  if (!gone)
    return;
  if (!gone->left) {
    *at = gone->right;
  } else if (!gone->right) {
    *at = gone->left;
  } else {
    Node **last = &gone->right;
    while ((*last)->left)
      last = &(*last)->left;
    Node *next = *last;
    *last = next->right;
    next->left = gone->left;
    next->right = gone->right;
    *at = next;
  }
  free(gone);
}

static real sum_of(const Node *node) {
  real sum = 0;
  if (node)
    sum = node->key * node->key * node->weight * node->count + sum_of(node->left) * 2 +
          sum_of(node->right);
  return sum;
}

static void drop(Node *node) {
  if (!node)
    return;
  drop(node->left);
  drop(node->right);
  free(node);
}

/* A number behind the pointers is none of them. */
SUM(taken_out_of_a_tree, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Node *root = NULL;
  for (int i = 0; i < 2 * n; i++)
    insert(&root, x[i % 4]);
  take_out(&root, x[0]);
  insert(&root, x[0] * x[4]);
  real sum = sum_of(root);
  drop(root);
  return sum;
}

/* --- Memory of nodes' own. --- */

typedef struct Tagged {
  real key;
  int count, *tags;
  struct Tagged *left, *right;
} Tagged;

static void tag(Tagged **at, real key, int label) {
  while (*at && key != (*at)->key)
    at = key < (*at)->key ? &(*at)->left : &(*at)->right;
  if (!*at) {
    *at = (Tagged *)calloc(1, sizeof **at);
    (*at)->key = key;
  }
  Tagged *node = *at;
  node->tags = (int *)realloc(node->tags, (node->count + 1) * sizeof(int));
  node->tags[node->count++] = label;
}

static real sum_of_tags(const Tagged *node) {
  if (!node)
    return 0;
  real sum = node->key * node->key;
  for (int i = 0; i < node->count; i++)
    sum += node->key * node->tags[i];
  return sum + sum_of_tags(node->left) * 2 + sum_of_tags(node->right);
}

static void drop_tags(Tagged *node) {
  if (!node)
    return;
  drop_tags(node->left);
  drop_tags(node->right);
  free(node->tags);
  free(node);
}

SUM(tags_that_grow_in_a_tree, 3, 2.0, 3.0, 1.0) {
  Tagged *root = NULL;
  for (int i = 0; i < 7; i++)
    tag(&root, x[i % n], i);
  real sum = sum_of_tags(root);
  drop_tags(root);
  return sum;
}

/* --- Roots that are nodes, of which another member leads on than of those that it leads to. --- */

typedef struct Item {
  struct Item *next, *child;
  char *name;
  real value;
} Item;

static Item *make(const char *name, real value) {
  Item *item = (Item *)calloc(1, sizeof *item);
  item->name = (char *)malloc(strlen(name) + 1);
  memcpy(item->name, name, strlen(name) + 1);
  item->value = value;
  return item;
}

static void drop_items(Item *item) {
  while (item) {
    Item *next = item->next;
    drop_items(item->child);
    free(item->name);
    free(item);
    item = next;
  }
}

static real sum_of_items(const Item *item) {
  real sum = 1;
  for (; item; item = item->next)
    sum += item->value * sum * (int)strlen(item->name) + sum_of_items(item->child);
  return sum;
}

SUM(root_is_a_node, 3, 2.0, 3.0, 1.0) {
  Item *root = make("root", x[0]);
  for (int i = 0; i < n; i++) {
    Item *item = make(i & 1 ? "width" : "height", x[i] * x[0]);
    Item **at = &root->child;
    while (*at)
      at = &(*at)->next;
    *at = item;
  }
  real sum = sum_of_items(root) * root->child->name[1];
  drop_items(root);
  return sum;
}

static NOINLINE void append(Item *parent, Item *item) {
  Item **at = &parent->child;
  while (*at)
    at = &(*at)->next;
  *at = item;
}

/* The function that puts it in could not tell that both are nodes. */
SUM(root_is_a_node_elsewhere, 3, 2.0, 3.0, 1.0) {
  Item *root = make("root", x[0]);
  for (int i = 0; i < n; i++)
    append(root, make(i & 1 ? "width" : "height", x[i] * x[0]));
  append(root->child, make("unit", x[1]));
  real sum = sum_of_items(root) * root->child->child->value;
  drop_items(root);
  return sum;
}

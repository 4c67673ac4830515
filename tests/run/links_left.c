// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Nodes that become the caller's, whose numbers and links the optimiser sets to zero at once: the
 * reverse sweep leaves the links, which the next call follows. */
// reals: double
// differences: none
#include "cases.h"

extern void __enzyme_autodiff(void *, ...);

typedef struct Node {
  double v;
  struct Node *kid[4];
  double w;
} Node;

typedef struct Tree {
  Node *head;
  double x;
  int at;
} Tree;

static double grow(Tree *tree) {
  Node *node = malloc(sizeof *node);
  for (int i = 0; i < 4; i++)
    node->kid[i] = NULL;
  node->w = 0;
  node->v = tree->x;
  if (tree->at > 5)
    node->w += tree->x * node->v;
  node->kid[tree->at & 3] = tree->head;
  tree->head = node;
  return (node->w + 1) * node->v;
}

static double followed(Tree *tree) {
  double first = tree->head ? tree->head->v : 1;
  return first * grow(tree);
}

static void drop(Node *node) {
  for (int i = 0; node && i < 4; i++)
    drop(node->kid[i]);
  free(node);
}

CHECK(numbers_and_links_at_once) {
  Tree tree = {.x = 1.5, .at = 2}, shadow = {0};
  __enzyme_autodiff((void *)grow, &tree, &shadow);
  EXPECT(shadow.x, 1);
  tree.at = 7;
  __enzyme_autodiff((void *)grow, &tree, &shadow);
  EXPECT(shadow.x, 1 + 3 * 1.5 * 1.5 + 1);
  EXPECT(shadow.head != NULL && shadow.head->kid[3] != NULL, 1);
  EXPECT(shadow.head->kid[3]->kid[2] == NULL, 1);
  __enzyme_autodiff((void *)followed, &tree, &shadow);
  EXPECT(shadow.x, 8.75 + 1.5 * 7.75);
  EXPECT(shadow.head->kid[3]->v, 1.5 * 1.5 * 1.5 + 1.5);
  drop(tree.head);
  drop(shadow.head);
}

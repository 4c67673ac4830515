// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A list is copied by a callee, then here, and then by another: what the callees copy is known to
 * be numbers where it begins and where it ends, and here by nothing. */
#include <stdlib.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

typedef struct Node {
  struct Node *next;
  char payload[16];
} Node;

__attribute__((noinline)) static Node *copied(const Node *from) {
  if (!from)
    return NULL;
  Node *node = malloc(sizeof *node);
  memcpy(node->payload, from->payload, sizeof node->payload);
  node->next = copied(from->next);
  return node;
}

static Node *reversed(const Node *from) {
  Node *list = NULL;
  for (; from; from = from->next) {
    Node *node = malloc(sizeof *node);
    memcpy(node->payload, from->payload, sizeof node->payload);
    node->next = list;
    list = node;
  }
  return list;
}

static double of_list(const double *x, int n) {
  Node *list = NULL;
  double r = 0;
  for (int i = 0; i < n; i++) {
    Node *node = malloc(sizeof *node);
    double *numbers = (double *)node->payload;
    numbers[0] = x[i] * x[i];
    numbers[1] = x[i];
    node->next = list;
    list = node;
  }
  for (Node *node = copied(reversed(copied(list))); node; node = node->next)
    r += ((double *)node->payload)[0] * ((double *)node->payload)[1];
  return r;
}

void gradient(double *x, double *dx) {
  __enzyme_autodiff((void *)of_list, enzyme_dup, x, dx, enzyme_const, 3);
}
// error-anywhere: [nabla: unknown-type]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that call themselves allocate and free nodes of a list, of which some are the caller's:
 * only the run tells whose the shadow is of what is freed. */
// reals: double
// differences: none
#include "cases.h"

extern void __enzyme_autodiff(void *, ...);
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);
extern int enzyme_nofree;

typedef struct Node {
  double v;
  struct Node *next;
} Node;

typedef struct List {
  Node *head;
} List;

enum { COUNT = 3 };

static Node *pushed(Node *next, double v) {
  Node *node = malloc(sizeof *node);
  *node = (Node){v, next};
  return node;
}

NOINLINE static void clear(Node *node) {
  if (!node)
    return;
  clear(node->next);
  free(node);
}

NOINLINE static Node *copy(const Node *node, double factor) {
  if (!node)
    return NULL;
  return pushed(copy(node->next, factor * 1.5), node->v * factor + node->v * node->v);
}

NOINLINE static double sum(const Node *node) {
  return node ? node->v * node->v + 0.5 * sum(node->next) : 1;
}

NOINLINE static Node *without_less(Node *node, double limit) {
  if (!node)
    return NULL;
  Node *rest = without_less(node->next, limit);
  if (node->v < limit) {
    free(node);
    return rest;
  }
  node->next = rest;
  return node;
}

/* Leaves a list of its own in the place of the caller's. */
static double replace(List *list, const double *x) {
  for (int i = 0; i < COUNT; i++)
    list->head = pushed(list->head, x[i] * (i + 1));
  double s = sum(list->head);
  Node *first = copy(list->head, x[0]);
  s += sum(first);
  list->head = without_less(list->head, 1);
  s += sum(list->head) * x[1];
  Node *second = copy(list->head, x[1]);
  clear(list->head);
  list->head = first;
  s += sum(second) * x[2];
  clear(second);
  for (Node *node = first; node; node = node->next)
    node->v *= x[2];
  return s + sum(first);
}

/* The caller's own nodes, which the function frees. */
static List list_of(const double *y, Node **nodes) {
  List list = {NULL};
  for (int i = 0; i < COUNT; i++)
    nodes[i] = list.head = pushed(list.head, y[i]);
  return list;
}

static double value(const double *x, const double *y) {
  Node *nodes[COUNT];
  List list = list_of(y, nodes);
  double r = replace(&list, x);
  clear(list.head);
  return r;
}

static double difference(double *x, double *y, double *at) {
  const double h = 1e-5, before = *at;
  *at = before + h;
  double more = value(x, y);
  *at = before - h;
  double less = value(x, y);
  *at = before;
  return (more - less) / (2 * h);
}

static int near(double a, double b) { return fabs(a - b) < 1e-6 * (1 + fabs(b)); }

static void together(List *list, List *shadow, const double *x, double *dx) {
  __enzyme_autodiff((void *)replace, enzyme_dup, list, shadow, enzyme_dup, x, dx);
}

static void read_twice(List *list, List *shadow, const double *x, double *dx) {
  void *tape = __enzyme_augmentfwd((void *)replace, enzyme_nofree, enzyme_dup, list, shadow,
                                   enzyme_dup, x, dx);
  __enzyme_reverse((void *)replace, enzyme_nofree, enzyme_dup, list, shadow, enzyme_dup, x, dx, 0.0,
                   tape);
  __enzyme_reverse((void *)replace, enzyme_dup, list, shadow, enzyme_dup, x, dx, 1.0, tape);
}

static void compare(void (*gradient)(List *, List *, const double *, double *)) {
  double x[COUNT] = {0.9, 0.6, 1.2}, y[COUNT] = {0.3, 1.4, 2}, dx[COUNT] = {0};
  Node *nodes[COUNT], *shadows[COUNT];
  List list = list_of(y, nodes), shadow = list_of(dx, shadows);
  gradient(&list, &shadow, x, dx);
  for (int i = 0; i < COUNT; i++) {
    EXPECT(near(dx[i], difference(x, y, &x[i])), 1);
    EXPECT(near(shadows[i]->v, difference(x, y, &y[i])), 1);
    free(shadows[i]);
  }
  clear(list.head);
  clear(shadow.head);
}

typedef struct Stack {
  Node *top;
} Stack;

/* At each depth the node that is freed is another's: at the first the caller's. */
static double replaced(Stack *stack, double x, int depth) {
  Node *top = stack->top;
  double y = top->v * x;
  stack->top = pushed(top->next, y);
  free(top);
  return depth ? replaced(stack, y * y, depth - 1) + y : y;
}

CHECK(released_at_each_depth) {
  Stack stack = {pushed(NULL, 0.5)}, shadow = {pushed(NULL, 0)};
  Node *first = shadow.top;
  __enzyme_autodiff((void *)replaced, &stack, &shadow, 2.0, 1);
  EXPECT(first->v, 8);
  free(first);
  free(stack.top);
  free(shadow.top);
}

CHECK(released) { compare(together); }
CHECK(released_and_read_twice) { compare(read_twice); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Lists and trees made, changed and destroyed inside the function. */
#include "cases.h"

typedef struct Node {
  real value;
  struct Node *next;
} Node;

static Node *push(Node *head, real value) {
  Node *node = (Node *)malloc(sizeof *node);
  node->value = value;
  node->next = head;
  return node;
}

static NOINLINE void destroy(Node *p) {
  while (p) {
    Node *next = p->next;
    free(p);
    p = next;
  }
}

SUM(freed_one_by_one, 4, 1.0, 2.0, 3.0, 4.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++)
    head = push(head, x[i] * x[i]);
  real r = 0;
  for (Node *p = head; p; p = p->next)
    r = r * 0.5 + p->value * p->value;
  while (head) {
    Node *next = head->next;
    free(head);
    head = next;
  }
  return r;
}

SUM(freed_while_read, 4, 1.0, 2.0, 3.0, 4.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++)
    head = push(head, sin(x[i]));
  real r = 1;
  while (head) {
    Node *old = head;
    r = r * old->value + x[0];
    head = old->next;
    free(old);
  }
  return r;
}

SUM(freed_by_a_callee, 4, 1.0, 2.0, 3.0, 4.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++)
    head = push(head, x[i] * x[i]);
  real r = 1;
  for (Node *p = head; p; p = p->next)
    r *= p->value;
  destroy(head);
  return r;
}

SUM(list_in_each_iteration, 3, 1.0, 2.0, 3.0) {
  real r = 1;
  for (int k = 0; k < n; k++) {
    Node *head = NULL;
    for (int i = 0; i <= k; i++)
      head = push(head, x[i] * r);
    real s = 0;
    for (Node *p = head; p; p = p->next)
      s = s * 0.5 + p->value * p->value;
    r = 0.1 * s;
    while (head) {
      Node *next = head->next;
      free(head);
      head = next;
    }
  }
  return r;
}

SUM(values_changed_in_place, 4, 1.0, 2.0, 3.0, 4.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++)
    head = push(head, x[i]);
  for (int k = 0; k < 3; k++)
    for (Node *p = head; p; p = p->next)
      p->value = p->next ? 0.5 * p->value * p->next->value : sin(p->value);
  real r = head->value;
  destroy(head);
  return r;
}

SUM(reversed_in_place, 4, 1.0, 2.0, 3.0, 4.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++)
    head = push(head, x[i] * x[0]);
  Node *back = NULL;
  while (head) {
    Node *next = head->next;
    head->next = back;
    back = head;
    head = next;
  }
  real r = 0;
  for (Node *p = back; p; p = p->next)
    r = r * p->value + 1.0;
  destroy(back);
  return r;
}

SUM(some_removed, 5, 1.0, -2.0, 3.0, -4.0, 5.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++)
    head = push(head, x[i] * x[i] * x[i]);
  Node **link = &head;
  while (*link) {
    Node *p = *link;
    if (p->value < 0) {
      *link = p->next;
      free(p);
    } else {
      link = &p->next;
    }
  }
  real r = 1;
  for (Node *p = head; p; p = p->next)
    r *= p->value;
  destroy(head);
  return r;
}

static NOINLINE Node *inserted(Node *head, real value) {
  if (!head || value < head->value)
    return push(head, value);
  head->next = inserted(head->next, value);
  return head;
}

SUM(sorted_by_recursion, 4, 3.0, 1.0, 4.0, 2.0) {
  Node *head = NULL;
  for (int i = 0; i < n; i++)
    head = inserted(head, x[i] * x[i]);
  real r = 0;
  int k = 1;
  for (Node *p = head; p; p = p->next)
    r += p->value * p->value * k++;
  destroy(head);
  return r;
}

typedef struct {
  Node *first, *last;
} Queue;

static NOINLINE void queue_put(Queue *q, real value) {
  Node *node = push(NULL, value);
  if (q->last)
    q->last->next = node;
  else
    q->first = node;
  q->last = node;
}

static NOINLINE real queue_get(Queue *q) {
  Node *node = q->first;
  real value = node->value;
  q->first = node->next;
  if (!q->first)
    q->last = NULL;
  free(node);
  return value;
}

SUM(queue, 4, 1.0, 2.0, 3.0, 4.0) {
  Queue q = {NULL, NULL};
  for (int i = 0; i < n; i++)
    queue_put(&q, x[i] * x[i]);
  for (int k = 0; k < 5; k++) {
    real a = queue_get(&q);
    real b = queue_get(&q);
    queue_put(&q, sin(a * b));
    queue_put(&q, a + 0.5 * b);
  }
  real r = 1;
  while (q.first)
    r = r * 0.5 + queue_get(&q) * r;
  return r;
}

typedef struct Item {
  const real *weight;
  const int *key;
  real *value;
  struct Item *next;
} Item;

FIXED(list_of_constants_and_actives, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 0.75, 1.5) {
  int keys[4] = {2, 0, 3, 1};
  Item *head = NULL;
  for (int i = 0; i < n; i++) {
    Item *item = (Item *)malloc(sizeof *item);
    item->weight = x + i;
    item->key = keys + i;
    item->value = y + i;
    item->next = head;
    head = item;
  }
  real r = 0;
  for (Item *p = head; p; p = p->next)
    r = r * 0.5 + *p->weight * *p->value * y[*p->key];
  y[0] = r;
  while (head) {
    Item *next = head->next;
    free(head);
    head = next;
  }
}

typedef struct Bag {
  int count;
  real *values;
  struct Bag *next;
} Bag;

SUM(list_of_arrays, 4, 1.0, 2.0, 3.0, 4.0) {
  Bag *head = NULL;
  for (int i = 0; i < n; i++) {
    Bag *bag = (Bag *)malloc(sizeof *bag);
    bag->count = i + 1;
    bag->values = (real *)malloc((size_t)bag->count * sizeof(real));
    for (int k = 0; k <= i; k++)
      bag->values[k] = x[i] * x[k];
    bag->next = head;
    head = bag;
  }
  real r = 0;
  for (Bag *p = head; p; p = p->next)
    for (int k = 0; k < p->count; k++)
      r += p->values[k] * p->values[0];
  while (head) {
    Bag *next = head->next;
    free(head->values);
    free(head);
    head = next;
  }
  return r;
}

typedef struct Tree {
  real key;
  struct Tree *left, *right, *parent;
} Tree;

static NOINLINE Tree *tree_insert(Tree *t, Tree *parent, real key) {
  if (!t) {
    t = (Tree *)malloc(sizeof *t);
    t->key = key;
    t->left = t->right = NULL;
    t->parent = parent;
  } else if (key < t->key) {
    t->left = tree_insert(t->left, t, key);
  } else {
    t->right = tree_insert(t->right, t, key);
  }
  return t;
}

static NOINLINE real tree_value(const Tree *t) {
  if (!t)
    return 1;
  real up = t->parent ? t->parent->key : t->key;
  return tree_value(t->left) * 0.5 + t->key * up * tree_value(t->right);
}

static NOINLINE void tree_free(Tree *t) {
  if (!t)
    return;
  tree_free(t->left);
  tree_free(t->right);
  free(t);
}

SUM(tree_by_recursion, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Tree *t = NULL;
  for (int i = 0; i < n; i++)
    t = tree_insert(t, NULL, x[i] * x[0]);
  real r = tree_value(t);
  tree_free(t);
  return r;
}

SUM(tree_by_loops, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Tree top = {x[0], NULL, NULL, NULL};
  for (int i = 0; i < n; i++) {
    Tree *t = (Tree *)malloc(sizeof *t);
    t->key = x[i] * x[i];
    t->left = t->right = t->parent = NULL;
    Tree **at = &top.left;
    while (*at) {
      t->parent = *at;
      at = t->key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    *at = t;
  }
  real r = 1;
  Tree *t = top.left;
  while (t->left)
    t = t->left;
  while (t) {
    r = r * 0.5 + t->key;
    Tree *next = t->right;
    while (next && next->left)
      next = next->left;
    if (!next) {
      next = t->parent;
      while (next && next->right == t) {
        t = next;
        next = next->parent;
      }
    }
    t = next;
  }
  tree_free(top.left);
  return r;
}

typedef struct Double {
  real value;
  struct Double *before, *after;
} Double;

SUM(doubly_linked, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Double ring;
  ring.before = ring.after = &ring;
  ring.value = 0;
  for (int i = 0; i < n; i++) {
    Double *d = (Double *)malloc(sizeof *d);
    d->value = x[i];
    d->before = ring.before;
    d->after = &ring;
    d->before->after = d;
    ring.before = d;
  }
  for (Double *d = ring.after; d != &ring;) {
    Double *after = d->after;
    d->value = d->value * d->before->value + x[0];
    if (d->value > 10) {
      d->before->after = d->after;
      d->after->before = d->before;
      free(d);
    }
    d = after;
  }
  real r = 0;
  while (ring.after != &ring) {
    Double *d = ring.after;
    r = r * 0.5 + d->value * d->value;
    ring.after = d->after;
    free(d);
  }
  return r;
}

SUM(buckets, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Node *bucket[3] = {NULL, NULL, NULL};
  for (int i = 0; i < n; i++)
    bucket[i % 3] = push(bucket[i % 3], x[i] * x[i]);
  real r = 0;
  for (int k = 0; k < 3; k++) {
    real p = 1;
    for (Node *b = bucket[k]; b; b = b->next)
      p *= b->value;
    r += p;
  }
  for (int k = 0; k < 3; k++)
    destroy(bucket[k]);
  return r;
}

SUM(nodes_from_an_arena, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Node *arena = (Node *)malloc((size_t)n * sizeof(Node));
  Node *head = NULL;
  for (int i = 0; i < n; i++) {
    Node *node = arena + i;
    node->value = x[i] * x[i];
    node->next = head;
    head = node;
  }
  real r = 1;
  for (Node *p = head; p; p = p->next)
    r = r * 0.5 + p->value * r;
  free(arena);
  return r;
}

SUM(early_return_frees, 3, 1.0, 2.0, 3.0, -1.0, 2.0, 3.0) {
  Node *head = push(push(NULL, x[0] * x[1]), x[1] * x[2]);
  if (x[0] < 0) {
    real r = head->value;
    destroy(head);
    return r;
  }
  head = push(head, x[2] * x[2]);
  real r = head->value * head->next->value + head->next->next->value * n;
  destroy(head);
  return r;
}

typedef struct {
  real *data;
  int count, room;
} Growing;

static void growing_add(Growing *g, real value) {
  if (g->count == g->room) {
    g->room = g->room ? 2 * g->room : 1;
    real *data = (real *)malloc((size_t)g->room * sizeof(real));
    if (g->count)
      memcpy(data, g->data, (size_t)g->count * sizeof(real));
    free(g->data);
    g->data = data;
  }
  g->data[g->count++] = value;
}

SUM(array_that_grows, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Growing g = {NULL, 0, 0};
  for (int i = 0; i < n; i++)
    growing_add(&g, x[i] * x[i] + (i ? g.data[i - 1] : 0));
  real r = 0;
  for (int i = 0; i < g.count; i++)
    r = r * 0.5 + g.data[i] * g.data[0];
  free(g.data);
  return r;
}

typedef struct Entry {
  real v;
  struct Entry *next;
  real *at;
} Entry;

static Entry *entry(real v, real *at, Entry *next) {
  Entry *t = (Entry *)malloc(sizeof *t);
  t->v = v;
  t->at = at;
  t->next = next;
  return t;
}

static real consumed(Entry *list) {
  real r = 0;
  while (list) {
    Entry *t = list;
    r = 0.5 * r * t->v + t->v * *t->at;
    list = t->next;
    free(t);
  }
  return r;
}

/* The pointer that leads to a node is in a local variable or in a node, beside a pointer to other
 * memory. */
SUM(list_kept_in_order, 4, 0.143, 0.013, -0.191, 0.3) {
  Entry *list = NULL;
  for (int i = 0; i < n; i++) {
    real v = sin(x[i] * x[0]);
    Entry **at = &list;
    while (*at && (*at)->v < v)
      at = &(*at)->next;
    *at = entry(v, x + i, *at);
  }
  return consumed(list);
}

SUM(list_pruned, 4, 0.143, 0.013, -0.191, 0.3) {
  Entry *list = NULL;
  for (int i = 0; i < n; i++)
    list = entry(sin(x[i] * x[0]), x + n - 1 - i, list);
  Entry **at = &list;
  while (*at) {
    if ((*at)->v < 0.01) {
      Entry *t = *at;
      *at = t->next;
      free(t);
    } else {
      at = &(*at)->next;
    }
  }
  return consumed(list);
}

/* Each node points into the array that the sum is made of; the place of the next one is a pointer
 * to a pointer. */
typedef struct Pin {
  real v;
  struct Pin *next;
  real *at;
} Pin;

MAP(pinned_in_order, 3, 2, 1.0, 3.0, 2.0) {
  Pin *first = NULL;
  for (int i = 0; i < n; i++) {
    Pin *p = (Pin *)malloc(sizeof *p);
    p->v = x[i];
    p->at = &x[i];
    Pin **at = &first;
    while (*at && (*at)->v < p->v)
      at = &(*at)->next;
    p->next = *at;
    *at = p;
  }
  for (Pin *p = first; p && p->next; p = p->next)
    *p->at += 0.5 * p->next->v;
  while (first) {
    Pin *p = first;
    y[0] = y[0] * *p->at + p->v;
    first = p->next;
    free(p);
  }
}

typedef struct Link {
  struct Link *next, *last;
  real value;
} Link;

typedef struct Ring {
  real scale;
  Link head;
  long count;
} Ring;

static NOINLINE void append(Ring *ring, Link *link, real value) {
  link->value = value;
  link->next = &ring->head;
  link->last = ring->head.last;
  link->last->next = ring->head.last = link;
  ring->count++;
}

/* The head is a member of a struct, between other members. */
SUM(ring_around_member, 3, 1.0, 2.0, 3.0) {
  Ring ring;
  ring.scale = x[0];
  ring.head.next = ring.head.last = &ring.head;
  ring.head.value = 0;
  ring.count = 0;
  for (int i = 0; i < n; i++)
    append(&ring, (Link *)malloc(sizeof(Link)), x[i] * x[i]);
  real r = 1;
  for (Link *p = ring.head.next; p != &ring.head;) {
    Link *next = p->next;
    r = r * 0.5 + p->value * p->value * ring.scale;
    free(p);
    p = next;
  }
  return r * (int)ring.count;
}

typedef struct Counted {
  long users;
  long weak;
  real value[2];
} Counted;

typedef struct Handle {
  real *value;
  Counted *owner;
} Handle;

static void make_counted(Handle *handle, real value) {
  Counted *owner = (Counted *)malloc(sizeof *owner);
  owner->users = owner->weak = 1;
  owner->value[0] = value;
  owner->value[1] = value * value;
  handle->value = owner->value;
  handle->owner = owner;
}

static NOINLINE void release_all(Handle *handles, int n) {
  for (int i = 0; i < n; i++)
    if (--handles[i].owner->users == 0)
      free(handles[i].owner);
}

/* One member leads to an object, another into the middle of it. */
SUM(handles_of_counted, 3, 1.0, 2.0, 3.0) {
  Handle handles[3];
  for (int i = 0; i < n; i++)
    make_counted(&handles[i], x[i]);
  real r = 1;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + handles[i].value[0] * handles[i].value[1] * (int)handles[i].owner->weak;
  release_all(handles, n);
  return r;
}

/* --- Expressions as trees: a leaf holds a number, or says which of the caller's it is. --- */

typedef enum { VARIABLE, NUMBER, SUM_OF, PRODUCT_OF, SINE_OF, NEGATED } Operation;

typedef struct Term {
  Operation operation;
  int place;
  real value;
  struct Term *left, *right;
} Term;

static Term *make_term(Operation operation, Term *left, Term *right) {
  Term *term = (Term *)calloc(1, sizeof *term);
  term->operation = operation;
  term->left = left;
  term->right = right;
  return term;
}

static Term *make_leaf(Operation operation, int place, real value) {
  Term *leaf = make_term(operation, NULL, NULL);
  leaf->place = place;
  leaf->value = value;
  return leaf;
}

static real evaluated(const Term *term, const real *x) {
  switch (term->operation) {
  case VARIABLE:
    return x[term->place];
  case NUMBER:
    return term->value;
  case SUM_OF:
    return evaluated(term->left, x) + evaluated(term->right, x);
  case PRODUCT_OF:
    return evaluated(term->left, x) * evaluated(term->right, x);
  case SINE_OF:
    return sin(evaluated(term->left, x));
  default:
    return -evaluated(term->left, x);
  }
}

static void release_term(Term *term) {
  if (!term)
    return;
  release_term(term->left);
  release_term(term->right);
  free(term);
}

SUM(expression_tree, 6, 0.5, -0.25, 1.25, 0.75, -1.0, 0.375) {
  Term *all = make_leaf(NUMBER, 0, (real)0.5);
  for (int i = 0; i < n; i++) {
    Term *leaf = i & 1 ? make_leaf(VARIABLE, i, 0) : make_leaf(NUMBER, 0, x[i] * 2);
    if (i % 3 == 0)
      all = make_term(SUM_OF, all, leaf);
    else if (i % 3 == 1)
      all = make_term(PRODUCT_OF, all, make_term(SINE_OF, leaf, NULL));
    else
      all = make_term(SUM_OF, make_term(NEGATED, leaf, NULL), all);
  }
  real result = evaluated(all, x);
  release_term(all);
  return result;
}

/* --- Links of which the run tells which of two they are. --- */

typedef struct Sided {
  struct Sided *side[2];
  real value;
} Sided;

static NOINLINE void put(Sided **link, Sided *node, int side) {
  while (*link)
    link = &(*link)->side[side];
  *link = node;
  node->side[0] = node->side[1] = NULL;
}

SUM(linked_on_sides, 3, 0.25, 1.5, 0.75) {
  Sided nodes[3], *root = NULL;
  for (int i = 0; i < n; i++) {
    nodes[i].value = x[i] * x[0];
    put(&root, &nodes[i], x[i] > 1);
  }
  real product = root->value;
  for (const Sided *node = root; node; node = node->side[1])
    product *= node->value;
  for (const Sided *node = root->side[0]; node; node = node->side[0])
    product *= node->value * x[0];
  return product;
}

/* A number that fills its struct is copied as a word, and a link stands beside it. */
typedef struct Boxed {
  struct {
    real value;
  } payload;
  struct Boxed *next;
} Boxed;

static NOINLINE Boxed *boxed_copied(const Boxed *from) {
  if (!from)
    return NULL;
  Boxed *node = (Boxed *)malloc(sizeof *node);
  memcpy(&node->payload, &from->payload, sizeof node->payload);
  node->next = boxed_copied(from->next);
  return node;
}

static NOINLINE void boxed_destroyed(Boxed *p) {
  while (p) {
    Boxed *next = p->next;
    free(p);
    p = next;
  }
}

SUM(numbers_copied_beside_links, 4, 1.0, 2.0, 3.0, 4.0) {
  Boxed *list = NULL;
  for (int i = 0; i < n; i++) {
    Boxed *node = (Boxed *)malloc(sizeof *node);
    node->payload.value = x[i] * x[(i + 1) % n];
    node->next = list;
    list = node;
  }
  Boxed *copy = boxed_copied(list);
  real r = 1;
  for (Boxed *p = copy; p; p = p->next)
    r = r * 0.7 + p->payload.value * p->payload.value;
  boxed_destroyed(list);
  boxed_destroyed(copy);
  return r;
}

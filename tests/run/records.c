// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers and integers side by side in structs that move: sorted, queued, halved, searched. */
#include "cases.h"

/* --- A heap of events, given out by value. --- */

typedef struct {
  real key, weight;
  short id;
} Event;

typedef struct {
  int count;
  Event events[64];
} Queue;

static void insert_event(Queue *q, real key, real weight, short id) {
  int i = q->count++;
  while (i > 0) {
    int above = (i - 1) / 2;
    if (q->events[above].key <= key)
      break;
    q->events[i] = q->events[above];
    i = above;
  }
  q->events[i].key = key;
  q->events[i].weight = weight;
  q->events[i].id = id;
}

static Event take_event(Queue *q) {
  Event top = q->events[0];
  Event last = q->events[--q->count];
  int i = 0;
  for (;;) {
    int below = 2 * i + 1;
    if (below >= q->count)
      break;
    if (below + 1 < q->count && q->events[below + 1].key < q->events[below].key)
      below++;
    if (last.key <= q->events[below].key)
      break;
    q->events[i] = q->events[below];
    i = below;
  }
  q->events[i] = last;
  return top;
}

MAP(events_in_order, 6, 6, 0.31, 0.11, 0.92, 0.53, 0.74, 0.25) {
  Queue q;
  real clock = 0;
  int steps = 0;
  q.count = 0;
  for (int i = 0; i < n; i++)
    insert_event(&q, 3 * x[i] + (real)0.01 * (real)i, x[(i * 7) % n], (short)i);
  while (q.count > 0 && steps++ < 12) {
    Event e = take_event(&q);
    real passed = e.key - clock;
    clock = e.key;
    y[e.id] += passed * e.weight;
    if (steps % 3 == 0 && q.count < 10)
      insert_event(&q, clock + e.weight * x[e.id], e.weight * (real)0.5, e.id);
  }
  y[0] += clock;
}

/* --- A curve, halved by recursion as long as it is not flat; its pieces are counted. --- */

typedef struct {
  real x, y;
} Point;

static Point middle(Point a, Point b) {
  Point m;
  m.x = (a.x + b.x) / 2;
  m.y = (a.y + b.y) / 2;
  return m;
}

static real distance(Point a, Point b) {
  real x = a.x - b.x, y = a.y - b.y;
  return sqrt(x * x + y * y);
}

static real length_of_curve(const Point c[4], int depth, int *pieces) {
  real chord = distance(c[0], c[3]), net = 0;
  for (int i = 0; i < 3; i++)
    net += distance(c[i], c[i + 1]);
  if (depth >= 4 || net - chord < (real)1e-2) {
    ++*pieces;
    return (chord + net) / 2;
  }
  Point left[4], right[4], w[4];
  memcpy(w, c, 4 * sizeof(Point));
  for (int k = 0; k < 4; k++) {
    left[k] = w[0];
    right[3 - k] = w[3 - k];
    for (int i = 0; i < 3 - k; i++)
      w[i] = middle(w[i], w[i + 1]);
  }
  return length_of_curve(left, depth + 1, pieces) + length_of_curve(right, depth + 1, pieces);
}

SUM(curve_halved_by_recursion, 8, 0.1, 0.2, 1.3, 2.4, 2.5, -1.6, 3.7, 0.8) {
  Point c[4];
  int pieces = 0;
  for (int i = 0; i < n / 2; i++) {
    c[i].x = x[2 * i];
    c[i].y = x[2 * i + 1] * (real)(i & 1 ? 2 : -1);
  }
  real length = length_of_curve(c, 0, &pieces);
  return length * (real)pieces;
}

/* --- A tree over points, searched by recursion for the nearest and its number. --- */

typedef struct {
  real at[2];
  int id;
} Place;

typedef struct {
  int axis, left, right, place;
} Node;

typedef struct {
  Place places[8];
  Node nodes[8];
  int used;
} Tree;

static int grow_tree(Tree *t, int from, int to, int axis) {
  if (from >= to)
    return -1;
  for (int i = from + 1; i < to; i++) {
    Place key = t->places[i];
    int j = i - 1;
    for (; j >= from && t->places[j].at[axis] > key.at[axis]; j--)
      t->places[j + 1] = t->places[j];
    t->places[j + 1] = key;
  }
  int half = (from + to) / 2, me = t->used++;
  t->nodes[me].axis = axis;
  t->nodes[me].place = half;
  t->nodes[me].left = grow_tree(t, from, half, axis ^ 1);
  t->nodes[me].right = grow_tree(t, half + 1, to, axis ^ 1);
  return me;
}

static void find_nearest(const Tree *t, int k, const real *q, real *best, int *id) {
  if (k < 0)
    return;
  const Node *node = &t->nodes[k];
  const Place *place = &t->places[node->place];
  real x = place->at[0] - q[0], y = place->at[1] - q[1], square = x * x + y * y;
  if (square < *best) {
    *best = square;
    *id = place->id;
  }
  real across = q[node->axis] - place->at[node->axis];
  find_nearest(t, across < 0 ? node->left : node->right, q, best, id);
  if (across * across < *best)
    find_nearest(t, across < 0 ? node->right : node->left, q, best, id);
}

MAP(nearest_in_a_tree, 8, 4, 0.11, 0.82, 0.93, 0.24, 0.55, 0.46, 0.77, 0.68) {
  Tree t;
  t.used = 0;
  for (int i = 0; i < 4; i++) {
    t.places[i].at[0] = x[2 * i];
    t.places[i].at[1] = x[2 * i + 1];
    t.places[i].id = i;
  }
  int root = grow_tree(&t, 0, 4, 0);
  for (int i = 0; i < 4; i++) {
    real q[2], best = 1000;
    int id = -1;
    q[0] = x[i] * (real)0.9 + (real)0.05;
    q[1] = x[n - 1 - i] * (real)1.1;
    find_nearest(&t, root, q, &best, &id);
    y[i] += sqrt(best + (real)1e-3) * (real)(id + 1);
  }
}

/* A message's parts, each as wide as a half of the numbers in it, are told from these. */
typedef struct Message {
  int kind, length;
  unsigned char body[12 * sizeof(real)];
} Message;

MAP(numbers_in_a_message, 4, 4, 0.4, -0.7, 1.3, 0.9) {
  Message m;
  m.kind = 1;
  m.length = n * (int)sizeof(real);
  memcpy(m.body, x, (size_t)m.length);
  for (int i = 0; i < m.length / (int)sizeof(real); i++) {
    real number;
    memcpy(&number, m.body + (int)sizeof(real) * i, sizeof number);
    y[i] += sin(number) * (real)(i + m.kind);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arrays that are members of structs, of which so many elements are copied or cleared as only the
 * run tells, with members of other types behind them. */
#include "cases.h"

typedef struct {
  real v[6];
  int n;
  real *from;
  single f[4];
  real m[2][3];
  long tag;
} Block;

typedef struct Node {
  struct Node *next;
  real w[3];
  int n;
} Node;

typedef struct {
  real x, y;
} Point;

typedef struct {
  Point p[3];
  int n;
} Polygon;

SUM(member_filled_by_count, 4, 1.0, 2.0, 3.0, 4.0) {
  Block *b = (Block *)malloc(2 * sizeof *b);
  real r = 0;
  for (int k = 0; k < 2; k++) {
    b[k].n = n - k;
    b[k].from = x + k;
    memcpy(b[k].v, b[k].from, (size_t)b[k].n * sizeof(real));
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < b[k].n; i++)
      r += b[k].v[i] * b[k].v[i] * b[k].from[0];
  free(b);
  return r;
}

SUM(member_moved_within_itself, 4, 1.0, 2.0, 3.0, 4.0) {
  Block b[2];
  memset(b, 0, sizeof b);
  b[1].n = n;
  b[1].tag = 3;
  memcpy(b[1].v + 1, x, (size_t)b[1].n * sizeof(real));
  memmove(b[1].v, b[1].v + 1, (size_t)(b[1].n - 1) * sizeof(real));
  memset(b[1].v + 2, 0, (size_t)(b[1].n - 3) * sizeof(real));
  b[0] = b[1];
  real r = 0;
  for (int i = 0; i < 6; i++)
    r = r * 0.5 + b[0].v[i] * b[0].v[i] * (real)b[0].tag;
  return r;
}

SUM(member_read_by_count, 4, 1.0, 2.0, 3.0, 4.0) {
  Block b[3];
  real r = 0;
  for (int k = 0; k < 3; k++) {
    b[k].n = n - k;
    b[k].from = x;
    for (int i = 0; i < b[k].n; i++)
      b[k].v[i] = x[i] * x[k];
  }
  for (int k = 0; k < 3; k++) {
    real w[6];
    memcpy(w, b[k].v, (size_t)b[k].n * sizeof(real));
    for (int i = 0; i < b[k].n; i++)
      r += w[i] * w[0] * b[k].from[i];
  }
  return r;
}

SUM(rows_of_a_member, 4, 1.0, 2.0, 3.0, 4.0) {
  Block b;
  memset(&b, 0, sizeof b);
  b.tag = n;
  memcpy(&b.m[0][0], x, (size_t)n * sizeof(real));
  memcpy(b.m[1] + 1, x, (size_t)(n - 2) * sizeof(real));
  real r = 0;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      r += b.m[i][k] * b.m[i][k] * (real)(k + 1) * (real)b.tag;
  return r;
}

SUM(singles_in_a_member, 3, 1.0, 2.0, 3.0) {
  Block *b = (Block *)calloc(2, sizeof *b);
  for (int i = 0; i < n; i++)
    b[1].f[i] = (single)x[i];
  memmove(b[1].f + 1, b[1].f, (size_t)n * sizeof(single));
  memcpy(b[0].f, b[1].f, (size_t)n * sizeof(single));
  real r = (real)(b[0].f[1] * b[1].f[2]) + (real)(b[0].f[0] * b[1].f[3]);
  free(b);
  return r;
}

SUM(members_of_a_list, 4, 1.0, 2.0, 3.0, 4.0) {
  Node *list = NULL;
  for (int i = 0; i < 3; i++) {
    Node *node = (Node *)malloc(sizeof *node);
    node->n = (n + i) % 4;
    node->next = list;
    memcpy(node->w, x + i % 2, (size_t)node->n * sizeof(real));
    list = node;
  }
  real r = 0;
  while (list) {
    Node *next = list->next;
    for (int i = 0; i < list->n; i++)
      r = r * 0.5 + list->w[i] * list->w[i];
    free(list);
    list = next;
  }
  return r;
}

SUM(structs_in_a_member, 6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  Polygon a, b;
  Point points[3];
  for (int i = 0; i < 3; i++) {
    points[i].x = x[i] * x[i];
    points[i].y = x[n - 1 - i];
  }
  a.n = n / 2;
  memcpy(a.p, points, (size_t)a.n * sizeof(Point));
  b = a;
  memmove(b.p + 1, b.p, (size_t)(b.n - 1) * sizeof(Point));
  real r = 0;
  for (int i = 0; i < b.n; i++)
    r += b.p[i].x * a.p[i].y;
  return r;
}

typedef struct {
  real a;
  int k;
  real v[3];
  real b;
} Mixed;

static real step(real *p, int k) {
  p[(unsigned)k % 3] = p[(unsigned)k % 3] * p[k & 1];
  return p[k % 3];
}

/* Remainders say how far an index goes, also where it is a helper's. */
SUM(members_by_remainders, 4, 1.0, 2.0, 3.0, 4.0) {
  Mixed s = {x[0], 2, {x[1], x[2], 1}, x[3]};
  real r = 0;
  for (int i = 0; i < n; i++) {
    char bytes[2 * sizeof(Mixed)];
    Mixed t;
    memcpy(bytes, &s, sizeof s);
    memcpy(bytes + sizeof s, &s, sizeof s);
    memcpy(&t, bytes + (size_t)(i & 1) * sizeof s, sizeof t);
    r += step(t.v, i) * (real)t.k;
    s = t;
  }
  return r + s.a * s.b + s.v[0] + s.v[1] * s.v[2];
}

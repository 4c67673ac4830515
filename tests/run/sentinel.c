// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Pointers of which only the run tells whether their memory has a derivative: constant arguments
 * and tables meet active memory in phis, selects, stores, copies, arguments and results. */
#define NB_AT_ONCE
#include "cases.h"

static const real table[4] = {1, 2, 3, 4};

static NOINLINE const real *choose(int which, const real *a, const real *b) {
  return which ? a : b;
}

static NOINLINE real weighted(int n, const real *a, const real *b) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += a[i] * b[n - 1 - i];
  return r;
}

SUM(table_or_argument, 4, 0.3, 0.1, -0.4, 1.2) {
  const real *p = VALUE(x[0]) > 0.2 ? x : table;
  const real *q = VALUE(x[0]) > 0.2 ? table : x;
  real r = 0;
  for (int i = 0; i < n; i++)
    r += p[i] * p[i] * q[i] + sin(q[i]);
  return r;
}

SUM(table_returned, 4, 0.3, 0.1, -0.4, 1.2) {
  real r = 0;
  for (int i = 0; i < n; i++)
    r += choose(i & 1, table, x)[i] * choose(i & 2, x, table)[n - 1 - i];
  return r;
}

SUM(table_as_argument, 4, 0.3, 0.1, -0.4, 1.2) {
  return weighted(n, table, x) * weighted(n, x, x) + weighted(n, choose(n & 1, x, table), x);
}

SUM(table_in_memory, 4, 0.3, 0.1, -0.4, 1.2) {
  const real *rows[4];
  for (int i = 0; i < n; i++)
    rows[i] = i & 1 ? table : x;
  real r = 0;
  for (int i = 0; i < n; i++)
    r += rows[i][i] * rows[(i + 1) % n][i] + weighted(n, rows[i], rows[n - 1 - i]);
  return r;
}

SUM(copied_from_either, 4, 0.3, 0.1, -0.4, 1.2) {
  real work[4];
  real r = 0;
  for (int i = 0; i < n; i++) {
    const real *p = i & 1 ? table : x;
    memcpy(work, p, sizeof work);
    work[i] *= x[0];
    r += weighted(n, work, p);
  }
  return r;
}

FIXED(constant_or_output, 3, 4, 0.3, 0.1, -0.4, 0.7, 0.6, 0.5) {
  for (int i = 0; i < n; i++) {
    real *p = i & 1 ? x : y;
    y[i] = p[i] * y[i + 1] + x[i] * p[0];
  }
}

FIXED(stored_to_either, 3, 4, 0.3, 0.1, -0.4, 0.7, 0.6, 0.5) {
  for (int i = 0; i < n; i++) {
    real *p = i & 1 ? y : x;
    real keep = p[i];
    p[i] = VALUE(x[i]) * 2;
    y[3] *= p[i] + y[i];
    p[i] = keep;
  }
}

static NOINLINE void scale(int n, real *p, const real *by) {
  for (int i = 0; i < n; i++)
    p[i] = p[i] * by[i] + by[0];
}

FIXED(callee_with_either, 3, 4, 0.3, 0.1, -0.4, 0.7, 0.6, 0.5) {
  scale(n, y, n & 1 ? x : y);
  scale(n, y, VALUE(y[3]) > 0 ? y : x);
  y[3] = weighted(n, choose(VALUE(y[0]) > 0, x, y), y);
}

FIXED(cleared_or_copied, 3, 4, 0.3, 0.1, -0.4, 0.7, 0.6, 0.5) {
  real work[3];
  real *p = VALUE(x[0]) > 0.2 ? work : x;
  memcpy(work, y, sizeof work);
  y[3] = weighted(n, work, y);
  memset(p, 0, 2 * sizeof *p);
  memcpy(y + 1, p, 2 * sizeof *p);
  for (int i = 0; i < n; i++)
    y[i] += work[i] * x[i];
}

SUM(null_or_argument, 4, 0.3, 0.1, -0.4, 1.2) {
  const real *rows[4];
  for (int i = 0; i < n; i++)
    rows[i] = i == 1 ? NULL : i == 2 ? table : x + i;
  real r = 0;
  for (int i = 0; i < n; i++)
    if (rows[i])
      r += rows[i][0] * rows[i][0] * x[1];
  return r;
}

typedef struct Node {
  const real *value;
  struct Node *next;
} Node;

SUM(list_of_either, 4, 0.3, 0.1, -0.4, 1.2) {
  Node nodes[4];
  Node *list = NULL;
  for (int i = 0; i < n; i++) {
    nodes[i].value = i & 1 ? &x[i] : &table[i];
    nodes[i].next = list;
    list = &nodes[i];
  }
  real r = 1;
  for (; list; list = list->next)
    r = r * *list->value + *list->value;
  return r;
}

static NOINLINE const real *defaults(int from) { return table + from; }

SUM(table_of_callee, 3, 0.3, 0.1, 1.2) {
  real r = 0;
  for (int i = 0; i < n; i++) {
    const real *p = i & 1 ? defaults(i) : x + i;
    r += p[0] * x[0] + sin(p[0]);
  }
  return r;
}

static NOINLINE real recursive(int depth, const real *a, const real *b) {
  if (depth == 0)
    return a[0] * b[1];
  return recursive(depth - 1, b, depth & 1 ? a : b) * a[depth] + b[depth];
}

SUM(recursion_with_either, 4, 0.3, 0.1, -0.4, 1.2) { return recursive(3, x, table); }

typedef struct Branch {
  real value;
  const char *name;
  const struct Branch *left, *right;
} Branch;

static const Branch leaf = {0.5, "leaf", NULL, NULL};
static const Branch twig = {2, "twig", &leaf, NULL};

static NOINLINE real grown(const Branch *at) {
  if (!at)
    return 0.5;
  return at->value * (1 + grown(at->left)) + grown(at->right) * at->value + at->name[0] * 0.01;
}

/* The nodes of one array are reached through each other, at other places than the first. */
static NOINLINE real branched(int n, const real *x, const Branch *end) {
  Branch all[4];
  for (int i = 0; i < n; i++) {
    all[i].value = x[i];
    all[i].name = "node";
    all[i].left = 2 * i + 1 < n ? &all[2 * i + 1] : end;
    all[i].right = 2 * i + 2 < n ? &all[2 * i + 2] : NULL;
  }
  return grown(all);
}

SUM(tree_that_ends_in_constants, 4, 0.3, 0.1, -0.4, 1.2) { return branched(n, x, &twig); }

SUM(tree_that_ends_in_a_local, 4, 0.3, 0.1, -0.4, 1.2) {
  Branch own = {2, "own", NULL, NULL};
  return branched(n, x, &own);
}

SUM(constant_node_changed, 4, 0.3, 0.1, -0.4, 1.2) {
  Branch own = twig, other = {x[0] * x[1], "other", &own, &leaf};
  real r = grown(&other);
  own.value = x[2];
  other.left = &twig;
  other.right = &own;
  return r * grown(&other) + x[3];
}

#ifndef __cplusplus
/* A constant leads to a function as the user's struct does, but has no shadow. */
typedef struct {
  double (*call)(double, double);
  double weight;
} Scale;

static NOINLINE double scaled_sum(double a, double b) { return a * 0.5 + b; }
static NOINLINE double scaled_product(double a, double b) { return a * b; }
static const Scale scales[2] = {{scaled_sum, -0.75}, {scaled_product, 1.25}};

static NOINLINE double scaled(const Scale *s, double a, double b) {
  return s->weight * s->call(a, b) + a;
}

static double rescaled(Scale *s, double a) {
  double r = scaled(&scales[1], a, 2);
  s->call = scaled_sum;
  return r * scaled(s, a, 3);
}

extern double __enzyme_fwddiff_rescaled(void *, ...);
extern double __enzyme_autodiff_rescaled(void *, ...);

CHECK(constant_beside_a_struct_with_a_function) {
  Scale s = {scaled_product, 2}, ds = {scaled_product, 0.5};
  EXPECT(__enzyme_fwddiff_rescaled((void *)rescaled, &s, &ds, 4.0, 1.0), 112.0);
  ds.weight = 0;
  EXPECT(__enzyme_autodiff_rescaled((void *)rescaled, &s, &ds, 4.0), 77.0);
  EXPECT(ds.weight, 70.0);
}
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs that the caller has, with pointers, integers and arrays of structs in them. */
#include "cases.h"

extern void __enzyme_autodiff_given(void *, ...);
extern void __enzyme_fwddiff_given(void *, ...);

typedef struct {
  double a;
  int k;
  double v[3], b;
} Small;

typedef struct {
  double r;
  Small s, w[2];
  double *p;
  int k;
  Small *at;
} Given;

typedef struct {
  int tag;
  union {
    double d;
    long k;
  } u;
} Tagged;

/* Two memories of a Given and what it leads to. */
typedef struct {
  Given g, d;
  Small at, dat;
  double p[2], dp[2];
} Both;

static void set_up(Both *both) {
  memset(both, 0, sizeof *both);
  both->at = (Small){2, 3, {1, 2, 3}, 4};
  both->g.s = both->g.w[0] = both->g.w[1] = both->at;
  both->g.r = 1.5;
  both->g.k = 1;
  both->p[0] = 5;
  both->p[1] = 7;
  both->g.p = both->p;
  both->d.p = both->dp;
  both->g.at = &both->at;
  both->d.at = &both->dat;
}

/* Elements of the array by an index that nothing bounds, with a pointer right behind it. */
static void taken(Given *g) { *g->at = g->w[g->k]; }
static void put(Given *g) { g->w[g->k] = g->s; }
static double exchanged(Given *g) {
  Small t = g->w[g->k];
  g->w[g->k] = g->w[1 - g->k];
  g->w[1 - g->k] = t;
  return g->w[0].v[g->k] * g->p[g->k] * g->s.k;
}

CHECK(element_taken) {
  Both both;
  set_up(&both);
  both.dat = (Small){10, 0, {1, 2, 3}, 4};
  both.d.w[1].v[2] = 0.5;
  __enzyme_autodiff_given((void *)taken, enzyme_dup, &both.g, &both.d);
  EXPECT(both.d.w[1].a, 10);
  EXPECT(both.d.w[1].v[0], 1);
  EXPECT(both.d.w[1].v[2], 3.5);
  EXPECT(both.d.w[1].b, 4);
  EXPECT(both.dat.v[2], 0);
  EXPECT(both.d.w[0].v[2], 0);
}

CHECK(element_put) {
  Both both;
  set_up(&both);
  both.d.w[1] = (Small){10, 0, {1, 2, 3}, 4};
  both.d.s.v[0] = 0.5;
  __enzyme_autodiff_given((void *)put, enzyme_dup, &both.g, &both.d);
  EXPECT(both.d.s.a, 10);
  EXPECT(both.d.s.v[0], 1.5);
  EXPECT(both.d.s.b, 4);
  EXPECT(both.d.w[1].b, 0);
}

CHECK(elements_exchanged) {
  Both both;
  set_up(&both);
  both.d.w[0].v[0] = 0.25;
  __enzyme_autodiff_given((void *)exchanged, enzyme_dup, &both.g, &both.d);
  EXPECT(both.d.w[1].v[1], 7 * 3);
  EXPECT(both.d.w[1].v[0], 0.25);
  EXPECT(both.d.w[0].v[0], 0);
  EXPECT(both.dp[1], 2 * 3);
}

CHECK(tangents_of_elements) {
  Both both;
  set_up(&both);
  both.d.w[1] = (Small){10, 0, {1, 2, 3}, 4};
  __enzyme_fwddiff_given((void *)taken, enzyme_dup, &both.g, &both.d);
  EXPECT(both.dat.a, 10);
  EXPECT(both.dat.v[1], 2);
  EXPECT(both.dat.b, 4);
}

/* Numbers or integers by a tag that the caller's struct tells. */
static double tagged(Given *g) {
  Tagged t[3];
  double r = 0;
  for (int i = 0; i < 3; i++) {
    t[i].tag = (g->k + i) % 2;
    if (t[i].tag)
      t[i].u.d = g->r > 3 ? 3 : g->r * g->r;
    else
      t[i].u.k = g->s.v[g->k] > 0 ? g->k * 7 + 2 : 3;
  }
  for (int i = 0; i < 3; i++)
    r += t[i].tag ? t[i].u.d : 0.1 * (double)t[i].u.k;
  return r * g->p[0];
}

CHECK(tagged_by_what_is_given) {
  Both both;
  set_up(&both);
  __enzyme_autodiff_given((void *)tagged, enzyme_dup, &both.g, &both.d);
  EXPECT(both.d.r, 2 * 2 * 1.5 * 5);
  EXPECT(both.dp[0], 2 * 1.5 * 1.5 + 0.9);
}

/* The number is moved as it is. */
static double tagged_as_it_is(Given *g) {
  Tagged t[3];
  double r = 0;
  for (int i = 0; i < 3; i++) {
    t[i].tag = (g->k + i) % 2;
    if (t[i].tag)
      t[i].u.d = g->r;
    else
      t[i].u.k = g->k * 7 + 2;
  }
  for (int i = 0; i < 3; i++)
    r += t[i].tag ? t[i].u.d : 0.1 * (double)t[i].u.k;
  return r * g->p[0];
}

CHECK(tagged_as_given) {
  Both both;
  set_up(&both);
  __enzyme_autodiff_given((void *)tagged_as_it_is, enzyme_dup, &both.g, &both.d);
  EXPECT(both.d.r, 2 * 5);
  EXPECT(both.dp[0], 2 * 1.5 + 0.9);
}

/* Whole elements of an array in the caller's struct are moved, changed and put back. */
typedef struct {
  double x[3], m;
  int id;
} Body;

typedef struct {
  int n;
  Body b[4];
  double *w;
  int order[4];
} Bodies;

static double weigh(const Bodies *s) {
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    sum += (i + 1) * s->b[i].m * s->b[i].x[i % 3] * (s->b[i].id + 1);
  return sum * s->w[0];
}

static double sorted(Bodies *s) {
  for (int i = 1; i < s->n; i++) {
    Body b = s->b[i];
    int j = i;
    for (; j > 0 && s->b[j - 1].m > b.m; j--)
      s->b[j] = s->b[j - 1];
    s->b[j] = b;
  }
  return weigh(s);
}

static double permuted(Bodies *s) {
  Body t[4];
  for (int i = 0; i < s->n; i++)
    t[i] = s->b[s->order[i]];
  for (int i = 0; i < s->n; i++)
    s->b[i] = t[i];
  return weigh(s);
}

static double changed(Bodies *s) {
  Body b = s->b[s->order[0]];
  b.m *= b.x[1];
  s->b[s->order[1]] = b;
  for (int i = 0; i < s->n - 1; i++)
    s->b[i] = s->b[i + 1];
  s->n--;
  return weigh(s);
}

/* The slopes by the masses, and by the first of the weights. */
static NOINLINE void expect_slopes(double (*f)(Bodies *), const double *wanted, double weight) {
  const double m[4] = {4, 2, 3, 1};
  double w = 0.5, dw = 0;
  Bodies s = {.n = 4, .w = &w, .order = {2, 0, 3, 1}}, d = {.w = &dw};
  for (int i = 0; i < 4; i++)
    s.b[i] = (Body){{i + 1, 2 * i + 1, 3 * i + 2}, m[i], i};
  if (f == sorted)
    __enzyme_autodiff_given((void *)sorted, enzyme_dup, &s, &d);
  else if (f == permuted)
    __enzyme_autodiff_given((void *)permuted, enzyme_dup, &s, &d);
  else
    __enzyme_autodiff_given((void *)changed, enzyme_dup, &s, &d);
  for (int i = 0; i < 4; i++)
    EXPECT(d.b[i].m, wanted[i]);
  EXPECT(dw, weight);
}

CHECK(bodies_sorted) {
  const double wanted[4] = {0.5 * 4 * 1 * 1, 0.5 * 2 * 3 * 2, 0.5 * 3 * 8 * 3, 0.5 * 1 * 4 * 4};
  expect_slopes(sorted, wanted, 16 + 2 * 12 + 3 * 72 + 4 * 4);
}

CHECK(bodies_permuted) {
  const double wanted[4] = {0.5 * 2 * 1 * 1, 0.5 * 4 * 2 * 2, 0.5 * 1 * 3 * 3, 0.5 * 3 * 11 * 4};
  expect_slopes(permuted, wanted, 1 * 27 + 2 * 4 + 3 * 44 + 4 * 8);
}

CHECK(bodies_changed) {
  const double wanted[4] = {0, 0.5 * 1 * 2 * 2, 0.5 * 2 * 5 * 3, 0.5 * 3 * 11 * 4};
  expect_slopes(changed, wanted, 1 * 8 + 2 * 45 + 3 * 44);
}

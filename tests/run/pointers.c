// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory that holds pointers of several kinds: to active and to constant numbers, to tables of
 * integers, to other structures. Fields, not structures, decide what has a shadow. */
#include "cases.h"

#include <stdint.h>

typedef struct {
  real *x;
  const real *w;
  const int *at;
  int n;
} View;

static NOINLINE real view_sum(const View *v) {
  real sum = 0;
  for (int i = 0; i < v->n; i++)
    sum += v->w[i] * v->x[v->at[i]] * v->x[i];
  return sum;
}

FIXED(active_constant_and_integer, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 2.0, 1.5) {
  int at[4] = {2, 0, 3, 1};
  View v = {y, x, at, n};
  y[0] = view_sum(&v);
}

static NOINLINE real view_by_value(View v) {
  real sum = 0;
  for (int i = 0; i < v.n; i++)
    sum += v.w[i] * v.x[v.at[i]];
  return sum * v.x[0];
}

FIXED(view_with_constants_by_value, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 2.0, 1.5) {
  int at[4] = {2, 0, 1, 3};
  View v = {y, x, at, n};
  View w = v;
  w.x = y + 1;
  w.n = 3;
  at[3] = 0;
  y[1] = view_by_value(w) * view_by_value(v);
}

FIXED(view_on_the_heap, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 2.0, 1.5) {
  View *v = (View *)malloc(sizeof *v);
  int *at = (int *)malloc((size_t)n * sizeof *at);
  for (int i = 0; i < n; i++)
    at[i] = (i * 3 + 1) % n;
  v->x = y;
  v->w = x;
  v->at = at;
  v->n = n;
  y[2] = view_sum(v);
  free(at);
  free(v);
}

FIXED(array_of_views, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 2.0, 1.5) {
  int even[2] = {0, 1};
  int odd[2] = {1, 0};
  View v[3];
  for (int i = 0; i < 3; i++) {
    v[i].x = y + i;
    v[i].w = x + (i % n);
    v[i].at = i % 2 ? odd : even;
    v[i].n = 2;
  }
  real sum = 0;
  for (int i = 0; i < 3; i++)
    sum += view_sum(&v[i]) * v[2 - i].x[1];
  y[3] = sum;
}

typedef struct {
  real *rows[2];
  const real *weights[2];
  int *counts[2];
} Tables;

FIXED(arrays_of_pointers_in_a_struct, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 2.0, 1.5) {
  int c[2] = {2, 1};
  Tables t;
  for (int k = 0; k < 2; k++) {
    t.rows[k] = y + 2 * k;
    t.weights[k] = x + (k * 2) % n;
    t.counts[k] = c + k;
  }
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < *t.counts[k]; i++)
      t.rows[1 - k][i] += sin(t.rows[k][i]) * t.weights[k][i];
}

typedef struct {
  int n;
  struct {
    const real *data;
    int stride;
  } in;
  struct {
    real *data;
    int stride;
  } out;
} Strided;

static NOINLINE void strided_add(const Strided *s, real factor) {
  for (int i = 0; i < s->n; i++)
    s->out.data[i * s->out.stride] += factor * s->in.data[i * s->in.stride] * s->out.data[0];
}

FIXED(nested_structs_of_pointers, 4, 4, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25, 2.0, 1.5) {
  Strided s;
  s.n = 2;
  s.in.data = x;
  s.in.stride = n / 2;
  s.out.data = y;
  s.out.stride = 2;
  strided_add(&s, y[1]);
  s.out.data++;
  strided_add(&s, 0.5);
}

typedef struct {
  real *now;
  real *next;
  const real *source;
  int steps;
} Stepper;

static void stepper_advance(Stepper *s, int n) {
  for (int i = 0; i < n; i++)
    s->next[i] = 0.5 * s->now[(i + 1) % n] * s->now[i] + s->source[i];
  real *old = s->now;
  s->now = s->next;
  s->next = old;
  s->steps++;
}

FIXED(double_buffer_with_a_source, 3, 3, 0.1, 0.2, 0.3, 0.5, 0.25, 0.75) {
  real buffer[3] = {0, 0, 0};
  Stepper s = {y, buffer, x, 0};
  while (s.steps < 3)
    stepper_advance(&s, n);
  for (int i = 0; i < n; i++)
    y[i] = s.now[i] * s.next[i];
}

typedef struct {
  real *values;
  int *keys;
  const char *names;
  int count;
} Columns;

SUM(columns_of_many_kinds, 4, 1.0, 2.0, 3.0, 4.0) {
  Columns c;
  c.values = (real *)malloc((size_t)n * sizeof(real));
  c.keys = (int *)malloc((size_t)n * sizeof(int));
  c.names = "dabc";
  c.count = n;
  for (int i = 0; i < c.count; i++) {
    c.values[i] = x[i] * x[0];
    c.keys[i] = c.names[i] - 'a';
  }
  real sum = 0;
  for (int i = 0; i < c.count; i++)
    sum += c.values[c.keys[i]] * c.values[i] * (i + 1);
  free(c.values);
  free(c.keys);
  return sum;
}

typedef struct {
  const real *w;
  real *x;
  real *y;
  int n;
} Problem;

static NOINLINE Problem problem_of(real *x, real *y, const real *w, int n) {
  Problem p = {w, x, y, n};
  return p;
}

static NOINLINE real problem_value(Problem p) {
  real r = 0;
  for (int i = 0; i < p.n; i++)
    r += p.w[i] * p.x[i] * p.y[0];
  return r;
}

MAP(struct_of_pointers_returned_in_memory, 3, 2, 0.1, 0.2, 0.3) {
  const real weights[3] = {0.5, 1.5, 2.5};
  Problem p = problem_of(x, y, weights, n);
  y[1] = problem_value(p) * problem_value(p);
}

SUM(rows_allocated_inside, 3, 1.0, 2.0, 3.0) {
  real **m = (real **)malloc((size_t)n * sizeof(real *));
  for (int i = 0; i < n; i++)
    m[i] = (real *)malloc((size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      m[i][j] = x[i] * x[j] + (i == j ? 1.0 : 0.0);
  real *swapped = m[0];
  m[0] = m[2];
  m[2] = swapped;
  for (int k = 0; k < n - 1; k++)
    for (int i = k + 1; i < n; i++)
      for (int j = n - 1; j >= k; j--)
        m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  real det = 1;
  for (int i = 0; i < n; i++)
    det *= m[i][i];
  for (int i = 0; i < n; i++)
    free(m[i]);
  free(m);
  return det;
}

static NOINLINE real **rows_new(int n, int m) {
  real **rows = (real **)malloc((size_t)n * sizeof(real *));
  rows[0] = (real *)calloc((size_t)(n * m), sizeof(real));
  for (int i = 1; i < n; i++)
    rows[i] = rows[i - 1] + m;
  return rows;
}

static NOINLINE void rows_fill(real **rows, const real *x, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      rows[i][j] += x[i] * sin(x[j]);
}

SUM(rows_of_one_block, 3, 1.0, 2.0, 3.0) {
  real **rows = rows_new(n, n);
  rows_fill(rows, x, n);
  rows_fill(rows, x, 2);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += rows[i][n - 1 - i] * rows[0][i];
  free(rows[0]);
  free(rows);
  return sum;
}

SUM(rows_beside_integer_rows, 3, 1.0, 2.0, 3.0) {
  real *values[3];
  int *order[3];
  int places[9];
  for (int i = 0; i < n; i++) {
    values[i] = x + i;
    order[i] = places + 3 * i;
    for (int j = 0; j < n; j++)
      order[i][j] = (i + j) % n;
  }
  real r = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      r = r * 0.5 + *values[order[i][j]] * *values[order[j][n - 1]];
  return r;
}

typedef struct {
  void *context;
  int kind;
} Closure;

typedef struct {
  const real *w;
  real *x;
} Inner;

static NOINLINE real closure_value(const Closure *c, int i) {
  Inner *inner = (Inner *)c->context;
  return inner->w[i] * inner->x[i] * c->kind;
}

FIXED(context_through_a_void_pointer, 3, 3, 0.1, 0.2, 0.3, 0.5, 0.25, 0.75) {
  Inner inner = {x, y};
  Closure c = {&inner, n};
  y[1] = closure_value(&c, 0) * closure_value(&c, 2);
}

typedef struct {
  real buffer[6];
  real *top;
} Stack;

SUM(struct_that_points_into_itself, 4, 1.0, 2.0, 3.0, 4.0) {
  Stack s;
  s.top = s.buffer;
  for (int i = 0; i < n; i++)
    *s.top++ = x[i] * x[i];
  while (s.top - s.buffer > 1) {
    real a = *--s.top;
    s.top[-1] = s.top[-1] * 0.5 + sin(a) * x[0];
  }
  return s.buffer[0];
}

SUM(pointer_walks, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[8];
  real *end = a + 2 * n;
  for (real *p = a, *q = x; p != end; p++)
    *p = *q * *q, q = p - a == n - 1 ? x : q + 1;
  real r = 0;
  for (real *p = a, *q = end; p < q; p++)
    r += *p * *--q;
  return r;
}

typedef struct {
  int offset;
  const int *starts;
  const int *columns;
  const real *weights;
  real *values;
} Sparse;

static NOINLINE void sparse_times(const Sparse *s, int n, const real *x, real *y) {
  for (int i = 0; i < n; i++)
    for (int k = s->starts[i]; k < s->starts[i + 1]; k++)
      y[i] += s->values[k] * s->weights[k] * x[s->columns[k] + s->offset];
}

MAP(sparse_matrix, 7, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0) {
  int starts[4] = {0, 2, 3, 4};
  int columns[4] = {0, 2, 1, 0};
  real weights[4] = {0.5, 1.5, 2.0, 3.0};
  Sparse s = {0, starts, columns, weights, x};
  sparse_times(&s, 3, x + n - 3, y);
}

typedef struct {
  const real *table;
  real *state;
  real gain;
} Filter;

static const real low[3] = {0.25, 0.5, 0.25};
static const real high[3] = {-0.5, 1.0, -0.5};

SUM(constant_tables_beside_state, 4, 1.0, 2.0, 3.0, 4.0) {
  real state[4] = {0, 0, 0, 0};
  Filter f[2] = {{low, state, 1.0}, {high, state + 2, 2.0}};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2; k++)
      f[k].state[i % 2] += f[k].table[i % 3] * x[i] * f[k].gain * f[k].state[0] + x[0];
  return state[0] * state[1] + state[2] * state[3];
}

typedef struct Shape Shape;
struct Shape {
  const char *name;
  const real *size;
  real *area;
  Shape *other;
};

FIXED(shapes_that_know_each_other, 3, 3, 0.1, 0.2, 0.3, 0.5, 0.25, 0.75) {
  Shape a = {"a", x, y, NULL};
  Shape b = {"bb", x + n - 2, y + 1, &a};
  a.other = &b;
  for (Shape *s = &a; s; s = s == &a ? s->other : NULL)
    *s->area = *s->other->area * s->size[0] * (real)(int)strlen(s->name) + *s->area * *s->area;
}

typedef union {
  real *numbers;
  int *integers;
} Either;

SUM(either_of_two_pointers, 3, 1.0, 2.0, 3.0) {
  int places[3] = {2, 0, 1};
  Either e[2];
  int is_number[2] = {0, 1};
  e[0].integers = places;
  e[1].numbers = x;
  real r = 1;
  int at = 0;
  for (int i = 0; i < 2 * n; i++) {
    if (is_number[i % 2])
      r = r * e[1].numbers[at] + 1.0;
    else
      at = e[0].integers[i / 2];
  }
  return r;
}

typedef struct {
  real **rows;
  int **places;
  int n;
} Grid;

static NOINLINE real grid_sum(const Grid *g) {
  real sum = 0;
  for (int i = 0; i < g->n; i++)
    for (int j = 0; j < g->n; j++)
      sum += g->rows[i][g->places[i][j]] * (j + 1) * g->rows[j][i];
  return sum;
}

SUM(grid_of_rows_and_places, 4, 1.0, 2.0, 3.0, 4.0) {
  Grid g;
  g.n = n / 2;
  g.rows = (real **)malloc((size_t)g.n * sizeof(real *));
  g.places = (int **)malloc((size_t)g.n * sizeof(int *));
  for (int i = 0; i < g.n; i++) {
    g.rows[i] = x + i * g.n;
    g.places[i] = (int *)calloc((size_t)g.n, sizeof(int));
    g.places[i][i] = 1;
  }
  real r = grid_sum(&g);
  for (int i = 0; i < g.n; i++)
    free(g.places[i]);
  free(g.rows);
  free(g.places);
  return r;
}

#ifndef __cplusplus
static double rows_value(double **rows, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += rows[i][j] * rows[j][i] * (i + 1);
  rows[0][1] = sum;
  return sum * rows[1][1];
}

CHECK(rows_passed_with_their_shadows) {
  double a[4] = {1, 2, 3, 4};
  double da[4] = {0, 0, 0, 0};
  double *rows[2] = {a, a + 2};
  double *shadows[2] = {da, da + 2};
  __enzyme_autodiff_sum((void *)rows_value, rows, shadows, 2);
  double sum = 1 + 6 + 12 + 32;
  EXPECT(da[0], 2 * 1 * 4);
  EXPECT(da[1], 3 * 3 * 4);
  EXPECT(da[2], 3 * 2 * 4);
  EXPECT(da[3], 2 * 2 * 4 * 4 + sum);
}

typedef struct {
  double *x;
  int n;
  double scale;
} Holder;

static double holder_value(Holder *h) {
  double sum = 0;
  for (int i = 0; i < h->n; i++)
    sum += h->x[i] * h->x[i] * h->scale;
  return sum;
}

CHECK(struct_passed_with_its_shadow) {
  double x[2] = {2, 3};
  double dx[2] = {0, 0};
  Holder h = {x, 2, 5};
  Holder dh = {dx, 2, 0};
  __enzyme_autodiff_sum((void *)holder_value, &h, &dh);
  EXPECT(dx[0], 20);
  EXPECT(dx[1], 30);
  EXPECT(dh.scale, 13);
}

typedef struct {
  double *rows[3];
  double values[3];
  double scale;
} Table;

static double table_value(Table *t, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    t->values[i] = *t->rows[i] * *t->rows[i] * t->scale;
  for (int i = 0; i < n; i++)
    sum += t->values[i] * t->values[i];
  t->scale = sum;
  return sum * t->scale;
}

CHECK(pointers_and_numbers_of_one_struct) {
  double x[3] = {1, 2, 3};
  double dx[3] = {0, 0, 0};
  Table t = {{x, x + 1, x + 2}, {0, 0, 0}, 2};
  Table dt = {{dx, dx + 1, dx + 2}, {0, 0, 0}, 0};
  __enzyme_autodiff_sum((void *)table_value, &t, &dt, 3);
  double sum = 4 * (1 + 16 + 81);
  EXPECT(dx[0], 2 * sum * 16 * 1);
  EXPECT(dx[2], 2 * sum * 16 * 27);
  EXPECT(dt.scale, 2 * sum * 4 * 98);
}
#endif

/* --- Addresses that are integers for a while -------------------------------------------------- */

SUM(address_moved, 4, 1.5, -0.5, 2.0, 0.25) {
  real a[4];
  for (int i = 0; i < 4; i++)
    a[i] = x[i % n] * x[0];
  uintptr_t at = (uintptr_t)(a + 1);
  *(real *)at = 0.5 * *(real *)at + x[2];
  return *(real *)(at + sizeof(real)) * *(real *)(at - sizeof(real)) + a[1] * a[3];
}

static NOINLINE real sum_between(const real *x, long from, long to) {
  real sum = 0;
  for (long i = from; i < to; i++)
    sum += x[i] * x[i];
  return sum;
}

SUM(address_low_bits, 4, 1.5, -0.5, 2.0, 0.25) {
  real a[4];
  for (int i = 0; i < 4; i++)
    a[i] = x[i % n] * x[0];
  long first = (long)((uintptr_t)a / sizeof(real)) & 1;
  return sum_between(a, 0, first) + sum_between(a, first, 4);
}

SUM(address_walked, 4, 1.5, -0.5, 2.0, 0.25) {
  uintptr_t at = (uintptr_t)x;
  real sum = 0;
  for (int i = 0; i < 4; i++, at += sizeof(real)) {
    sum = sum * *(real *)at + *(real *)(at ^ 0);
    if (i == 2)
      *(real *)at = sum * n;
  }
  return sum;
}

SUM(address_indexed, 4, 1.5, -0.5, 2.0, 0.25) {
  uintptr_t at = (uintptr_t)x;
  real sum = 0;
  for (int i = 0; i < 4; i++)
    sum = sum * 0.5 + *(real *)(at + (size_t)i * sizeof(real)) * x[n - 1 - i];
  return sum;
}

SUM(address_aligned, 3, 1.5, -0.5, 2.0) {
  char *block = (char *)malloc((size_t)n * sizeof(real) + 64);
  real *a = (real *)(((uintptr_t)block + 63) & ~(uintptr_t)63);
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[0];
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  free(block);
  return sum;
}

SUM(address_posix_aligned, 3, 1.5, -0.5, 2.0) {
  void *block;
  if (posix_memalign(&block, 64, (size_t)n * sizeof(real)))
    return 0;
  real *a = (real *)block, sum = 0;
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[0];
  for (int i = 0; i < n; i++)
    sum += a[i] * a[n - 1 - i];
  free(block);
  return sum;
}

static NOINLINE real second(const real *x) { return *(const real *)((uintptr_t)x + sizeof(real)); }

SUM(address_in_helper, 2, 1.5, -0.5) { return second(x) * x[0] * n; }

struct Held {
  uintptr_t at;
};

SUM(address_held, 3, 1.5, -0.5, 2.0) {
  real a[3] = {x[0] * x[1], x[1], x[2] * n};
  struct Held h = {(uintptr_t)a};
  h.at += sizeof(real);
  return *(real *)h.at * *(real *)(h.at + sizeof(real)) + a[0];
}

/* --- Pointers that are cleared with the struct around them. --- */

typedef struct Owned {
  real *data;
  int count;
} Owned;

static void own(Owned *o, real value) {
  free(o->data);
  o->data = (real *)malloc(sizeof(real));
  *o->data = value;
  o->count = 1;
}

SUM(structs_cleared_in_a_loop, 4, 1.5, -0.5, 2.0, 0.5) {
  real *rows[4], sum = 0;
  for (int k = 0; k < n; k++) {
    Owned o;
    memset(&o, 0, sizeof o);
    own(&o, x[k] * (real)(k + 1));
    rows[k] = o.data;
  }
  for (int k = 0; k < n; k++)
    sum += *rows[k] * *rows[n - 1 - k] * x[k];
  for (int k = 0; k < n; k++)
    free(rows[k]);
  return sum;
}

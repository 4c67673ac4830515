// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The smallest programs of the mistakes that random programs found. */
#include "cases.h"

typedef struct {
  real u;
  int k;
} Tagged;

/* Two facts of one period make two pieces of what is moved: they must not overtake each other. */
MAP(moved_down_in_pieces, 2, 4, -0.867, -1.067, 1.5, -1.1) {
  real b[3];
  for (int i = 0; i < 3; i++)
    b[i] = x[0] * (i + 1);
  memmove(y, y + 1, (size_t)(n + 1) * sizeof(real));
  real *q = x[1] < -1.071 ? &y[2] : &b[2];
  *q = 0.5 * *q;
  y[3] += b[2];
}

static void tag(int n, const real *x, Tagged *t) {
  for (int i = 0; i < 4; i++) {
    t[i].u = x[i] * x[0];
    t[i].k = n + i;
  }
}

MAP(structs_moved_down, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  Tagged t[4];
  tag(n, x, t);
  memmove(t, t + 1, 3 * sizeof(Tagged));
  for (int i = 0; i < 4; i++)
    y[0] = y[0] * 0.5 + t[i].u * t[i].u * t[i].k;
}

MAP(structs_moved_up, 4, 1, 1.0, 2.0, 3.0, 4.0) {
  Tagged t[4];
  tag(n, x, t);
  memmove(t + 1, t, 3 * sizeof(Tagged));
  for (int i = 0; i < 4; i++)
    y[0] = y[0] * 0.5 + t[i].u * t[i].u * t[i].k;
}

typedef struct {
  real *p;
  real u;
} Linked;

MAP(pointers_moved_up, 4, 2, 1.0, 2.0, 3.0, 4.0) {
  Linked t[4];
  for (int i = 0; i < 4; i++) {
    t[i].p = x + 3 - i;
    t[i].u = x[i];
  }
  memmove(t + 1, t, 3 * sizeof(Linked));
  memmove(t, t + 2, 2 * sizeof(Linked));
  for (int i = 0; i < n; i++)
    y[i % 2] += *t[i].p * t[i].u * (i + 1);
}

/* A pointer that may also be a parameter's does not make the block outlive the function. */
MAP(heap_or_parameter, 2, 2, 1.0, 2.0, -1.0, 2.0) {
  for (int i = 0; i < n; i++) {
    real *h = (real *)calloc(3, sizeof(real));
    h[1] = x[i] * x[0];
    real *q = x[i] >= 0 ? &h[1] : &y[1];
    *q = 0.5 * *q * x[1];
    y[0] += h[1];
    free(h);
  }
}

/* Two floats are copied as one integer, of which the optimiser also takes the halves. */
MAP(halves_of_an_integer, 4, 3, 1.0, 2.0, 3.0, 4.0) {
  real a[4] = {0, 0, 0, 0};
  real b[4];
  for (int i = 0; i < 4; i++)
    b[i] = x[i % n] * x[0];
  memmove(a + 2, b + 1, 2 * sizeof(real));
  for (int i = 0; i < 3; i++)
    y[i] += b[i] * a[i + 1] * a[(i * n) % 4];
}

/* What memset clears has no adjoint left, though only one element is seen to be a number. */
MAP(cleared_before_one_store, 3, 3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0) {
  memset(y, 0, (size_t)n * sizeof(real));
  y[0] = x[0] * x[2];
}

typedef struct {
  wide s;
  int k;
  real r;
  wide w;
} Padded;

static NOINLINE Padded bumped(Padded m, real t) {
  m.w = m.w * 0.5 + (wide)t;
  m.r = t * (real)m.w;
  m.k = (m.k + (t > 0.2)) % 4;
  m.s = 0.5 * m.w;
  return m;
}

/* The padding of a struct that is passed and returned by value is copied as an integer. */
MAP(padding_is_copied, 2, 1, 1.0, 2.0, 0.1, 0.3) {
  Padded s[2];
  memset(s, 0, sizeof s);
  for (int i = 0; i < n; i++) {
    s[i].r = x[i] * x[0];
    s[i].w = (wide)x[i];
    s[i].k = i;
  }
  s[0] = bumped(s[1], x[0]);
  y[0] = s[0].r * (real)s[1].w + (real)s[0].s * s[1].r + s[0].k;
}

/* The fields of one object say nothing about another that a pointer may reach as well. */
typedef struct Link {
  real *at;
  struct Link *next;
  real v;
} Link;

MAP(fields_of_another_object, 6, 2, 0.6, -1.2, -1.1, 0.4, -0.7, 0.1) {
  real a[8];
  for (int i = 0; i < 8; i++)
    a[i] = x[i % n];
  for (int k = 0; k < 3; k++) {
    Link links[2];
    Link *l = NULL;
    memset(a + 3, 0, 2 * sizeof(real));
    for (int i = 0; i < 2; i++) {
      Link *t = &links[i];
      t->v = a[(k + 2) % 8];
      t->at = &a[k + 1];
      t->next = l;
      l = t;
      t->v = t->v + *t->at;
    }
    for (; l; l = l->next)
      y[1] += l->v;
  }
}

/* Two edges of one switch leave the loop. */
SUM(two_cases_leave, 5, 0.7, 1.3, 0.4, -0.6, 1.1) {
  const char *program = "x+*xe+";
  real s = x[0];
  for (const char *p = program; *p; p++)
    switch (*p) {
    case 'x':
      s += x[(p - program) % n];
      break;
    case '+':
      s *= s * x[1];
      break;
    case 'e':
      goto done;
    }
done:
  return s;
}

/* Two pointers that change places: what one reads the other writes in the next round. */
SUM(pointers_change_places, 6, 0.7, 1.3, 0.4, 0.6, 1.1, 0.9) {
  real a[6];
  real b[6];
  real *u = a;
  real *v = b;
  for (int i = 0; i < n; i++)
    a[i] = b[i] = x[i];
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + (real)0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    real *w = u;
    u = v;
    v = w;
  }
  real s = 0;
  for (int i = 0; i < n; i++)
    s += u[i] * u[i] * u[i];
  return s;
}

/* A pointer that helpers of helpers move as an integer: only the outermost function knows it. */
typedef struct {
  real *values;
} Handle;

NOINLINE static void move_handle(Handle *to, const Handle *from) { memcpy(to, from, sizeof *to); }

NOINLINE static void move_handle_twice(Handle *to, const Handle *from) {
  Handle between;
  move_handle(&between, from);
  move_handle(to, &between);
}

SUM(handle_moved_twice, 3, 3.0, 4.0, 5.0) {
  Handle given = {x}, moved;
  move_handle_twice(&moved, &given);
  return moved.values[0] * moved.values[1] + moved.values[n - 1];
}

SUM(constant_handle_moved_twice, 3, 3.0, 4.0, 5.0) {
  real table[3] = {2, 3, 4};
  Handle given = {table}, moved;
  move_handle_twice(&moved, &given);
  return moved.values[0] * x[1] + moved.values[n - 1] * x[0];
}

/* An index of structs reaches, as far as is known, into what is copied beside them: that says no
 * more of these bytes than the numbers that are written there. */
typedef struct {
  extended s;
  int k;
  real r;
  extended w;
} Mixed;

typedef struct {
  real v[2];
  Mixed m;
} Nested;

NOINLINE static void chain(Mixed *m, int count) {
  for (int i = 0; i < count; i++)
    m[m[i].k].w = (extended)(0.25 * m[i].r);
}

MAP(numbers_copied_beside_indexed_structs, 1, 1, 0.614, 0.3) {
  Nested s[2];
  memset(s, 0, sizeof s);
  for (int i = 0; i < 2; i++)
    s[i].v[i] = -x[0];
  s[1].v[0] = s[1].v[1] * s[1].v[1];
  memcpy(s[0].v, s[1].v, sizeof s[0].v);
  chain(&s[0].m, s[0].m.k == 0);
  y[0] += s[0].v[0] * s[1].v[1] + (real)s[1].m.w;
}

/* The optimiser moves floats through bytes two at a time, and one of each two is never read. */
MAP(numbers_through_bytes, 3, 1, -0.9, -0.2, 0.7, 0.5, 1.1, -0.6) {
  real a[8], b[8];
  for (int i = 0; i < 8; i++)
    a[i] = x[i % n];
  for (int i = 0; i < 8; i++)
    b[i] = -x[i % n];
  for (int i = 0; i < 4; i++) {
    char bytes[8 * sizeof(real)];
    real t = x[2];
    memcpy(bytes + sizeof(real), b, 3 * sizeof(real));
    memcpy(bytes + 5 * sizeof(real), &t, sizeof(real));
    memcpy(a, bytes + sizeof(real), 3 * sizeof(real));
    memcpy(&t, bytes + 2 * sizeof(real), sizeof(real));
    a[(i + 1) % 8] += t;
  }
  y[0] += a[0] * a[4];
}

/* What a loop computes is known in its iterations only, also where it always runs: the slope of the
 * sine behind it is not the loop's cosine. */
MAP(slope_behind_a_loop, 3, 2, 0.7, 1.3, -0.4) {
  real a[3];
  int i = 0;
  do {
    a[i] = cos(x[0]);
    i++;
  } while (i < n);
  y[0] += sin(x[0]) * x[1];
  y[1] += a[0] * x[2];
}

typedef struct {
  real (*call)(real, real);
  real weight;
} Weighted;

static NOINLINE real product_of(real a, real b) { return sin(a * b); }
static NOINLINE real quotient_of(real a, real b) { return a / (1.25 + b * b); }
static NOINLINE real folded(real a, real b, int depth) {
  return depth > 0 ? folded(0.5 * cos(a), b, depth - 1) * b : sin(a * b);
}
static const Weighted weighted[2] = {{product_of, 0.5}, {quotient_of, -0.75}};

/* Calls of several kinds in a branch of an inner loop, beside such slopes. */
MAP(slopes_behind_inner_loops, 4, 3, 0.7, 1.3, -0.4, 0.9, 1.1, 0.2, 0.8, -0.6) {
  for (int i = 1; i < n; i *= 2) {
    real **rows = (real **)malloc(3 * sizeof(real *));
    int k = 0;
    do {
      rows[k] = (real *)calloc(2, sizeof(real));
      rows[k][k % 2] = cos(x[0]) * x[i];
      if (x[k] > 0.3)
        y[0] = weighted[(k + n) % 2].call(rows[k][k % 2], y[0]) * weighted[k % 2].weight;
      else
        y[1] += product_of(x[k], y[0]) + folded(x[k], y[1], k);
      k++;
    } while (k < 3);
    y[2] += sin(x[0]) * rows[2][0] + folded(rows[1][1], sin(x[0]), i);
    for (k = 0; k < 3; k++)
      free(rows[k]);
    free(rows);
  }
}

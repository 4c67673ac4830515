// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Indices into arrays in structs: as far as the arrays go, and on into the next member, which C
 * does not define and programs do all the same. */
#include <stdbool.h>

#include "cases.h"

#pragma clang attribute push(__attribute__((no_sanitize("bounds"))), apply_to = function)

/* --- Within the array: the loops' bounds are known when the program runs. --------------------- */

typedef struct {
  short marks[2];
  real a[2];
} Marked;

typedef struct {
  char tag;
  Marked parts[3];
} Tagged;

static void fill_tagged(int n, const real *x, Tagged *t) {
  for (int i = 0; i < n; i++) {
    t[i].tag = (char)i;
    for (int j = 0; j <= n; j++) {
      for (int k = 0; k < n; k++) {
        t[i].parts[j].marks[k] = (short)(j + k);
        t[i].parts[j].a[k] = x[(i + j + k) % n] * (k + 1);
      }
    }
  }
}

static real sum_tagged(int n, const Tagged *t) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= n; j++)
      for (int k = 0; k < n; k++)
        sum += t[i].parts[j].a[k] * t[n - 1 - i].parts[n - j].a[k] * t[i].parts[j].marks[k];
  return sum;
}

SUM(short_marks, 2, 0.3, 0.5) {
  Tagged t[2];
  fill_tagged(n, x, t);
  t[0].parts[2] = t[1].parts[1];
  for (int i = 0; i < n; i++)
    t[i].parts[n] = t[n - 1 - i].parts[0];
  return sum_tagged(n, t);
}

SUM(short_marks_in_heap, 2, 0.3, 0.5) {
  Tagged *t = (Tagged *)malloc((unsigned)n * sizeof *t);
  fill_tagged(n, x, t);
  Tagged kept = t[0];
  t[0] = t[1];
  t[1] = kept;
  real sum = sum_tagged(n, t);
  free(t);
  return sum;
}

typedef struct {
  single e;
  real a[2];
} Led;

typedef struct {
  Led leds[2];
  char tag;
} Board;

SUM(padding_behind_narrow_numbers, 2, 0.3, 0.5) {
  Board boards[3];
  for (int i = 0; i <= n; i++) {
    for (int j = 0; j < n; j++) {
      boards[i].leds[j].e = (single)(j + 1);
      for (int k = 0; k < n; k++)
        boards[i].leds[j].a[k] = (i + 1) * x[k];
    }
    boards[i].tag = (char)i;
  }
  memset(&boards[2].leds[1], 0, sizeof(Led));
  memcpy(boards + 1, boards, sizeof *boards);
  real sum = 0;
  for (int i = 0; i <= n; i++)
    for (int j = 0; j < n; j++)
      sum += boards[i].leds[j].a[j] * boards[n - i].leds[1 - j].a[j] * boards[i].leds[j].e;
  return sum;
}

typedef struct {
  real a[3];
  char mark;
} Ring;

typedef struct {
  real f;
  Ring rings[3];
} Chain;

/* What is copied begins behind the first of the arrays' members: those of all elements count. */
SUM(members_behind_what_is_copied, 3, 0.3, 0.5, 0.7) {
  Chain *c = (Chain *)malloc(3 * sizeof *c);
  for (int i = 0; i < n; i++) {
    c[i].f = (real)i;
    for (int j = 0; j < n; j++) {
      c[i].rings[j].mark = (char)(j + 1);
      for (int k = 0; k < n; k++)
        c[i].rings[j].a[k] = x[(i + k) % n];
    }
  }
  Ring ring = c[2].rings[1];
  ring.a[0] *= x[1];
  c[1].rings[2] = ring;
  c[0].rings[2] = c[2].rings[1];
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        sum += c[i].rings[j].a[k] * c[2 - i].rings[2 - j].a[k] * c[i].rings[j].mark;
  free(c);
  return sum;
}

/* --- Beyond it. ------------------------------------------------------------------------------- */

typedef struct {
  real a[2], b[2];
  int count;
} Two;

SUM(walk_overwrites_next_member, 2, 0.3, 0.5) {
  Two t;
  for (int k = 0; k < n; k++) {
    t.a[k] = x[k];
    t.b[k] = 2 * x[k];
  }
  real sum = t.b[0] * t.b[0] + sin(t.b[1]);
  for (int k = 0; k < 2 * n; k++)
    t.a[k] = x[1] * k;
  return sum + t.b[0] * x[0];
}

SUM(walk_overwrites_members_in_heap, 2, 0.3, 0.5) {
  Two *t = (Two *)malloc((unsigned)n * sizeof *t);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2 * n; k++)
      t[i].a[k] = x[k % n] * (i + k);
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      sum += t[i].b[k] * t[i].b[k] * t[i].b[k];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 2 * n; k++)
      t[i].a[k] = x[1] * k;
  sum += t[1].b[0] * x[0] * t[0].b[1];
  free(t);
  return sum;
}

SUM(walk_is_copied, 2, 0.3, 0.5) {
  Two t[2], u[2];
  for (int i = 0; i < n; i++) {
    t[i].count = 3 + i;
    for (int k = 0; k < 2 * n; k++)
      t[i].a[k] = x[k % n] * (k + 1 + i);
  }
  u[0] = t[1];
  u[1] = t[0];
  real sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = -n; k < n; k++)
      sum += u[i].b[k] * u[i].b[k] * (k + 3) * u[i].count;
  return sum;
}

/* --- Walks through text, whose end only the run tells, and numbers behind it. ----------------- */

typedef struct {
  char name[16];
  real v[3], w;
  int n;
} Titled;

SUM(text_walked_to_its_end, 4, 0.3, 0.7, 1.1, 1.9) {
  Titled p;
  for (int i = 0; i < 3; i++)
    p.v[i] = x[i] * x[i];
  p.w = x[3];
  p.n = n;
  strcpy(p.name, n > 3 ? "alpha" : "be");
  int sum = 0;
  for (char *c = p.name; *c; c++)
    sum += *c - 'a';
  return p.v[0] * p.v[1] + p.v[2] * p.w * (real)(sum * p.n);
}

static void capitalise(char *text) {
  for (; *text; text++)
    if (*text >= 'a' && *text <= 'z')
      *text = (char)(*text - 'a' + 'A');
}

SUM(text_changed_in_a_walk, 4, 0.3, 0.7, 1.1, 1.9) {
  Titled p;
  for (int i = 0; i < 3; i++)
    p.v[i] = x[i] * x[i];
  p.w = x[3];
  strcpy(p.name, "Hello World");
  capitalise(p.name);
  int sum = 0;
  for (char *c = p.name; *c; c++)
    sum += *c < 'a';
  return p.v[0] * p.v[1] + p.v[2] * p.w * (real)(sum + n);
}

#pragma clang attribute pop

/* Rows whose lengths the run tells are filled by copies of such lengths, and the struct is copied.
 */
typedef struct Rows {
  int count;
  int lengths[3];
  real rows[3][4];
} Rows;

static void fill_rows(Rows *r, const real *x, int n) {
  r->count = n;
  for (int i = 0; i < r->count; i++) {
    r->lengths[i] = i + 1;
    for (int j = 0; j < r->lengths[i]; j++)
      r->rows[i][j] = x[i + j];
  }
}

static real sum_rows(const Rows *r, const real *x) {
  real sum = 0;
  for (int i = 0; i < r->count; i++)
    for (int j = 0; j < r->lengths[i]; j++)
      sum += r->rows[i][j] * x[j + 1];
  return sum;
}

SUM(rows_filled_by_copies, 5, 1.1, 2.2, 3.3, 4.4, 5.5) {
  Rows a, b;
  fill_rows(&a, x, n % 4 + 2);
  b = a;
  return sum_rows(&b, x);
}

/* The same, each row beside its length: what is copied skips the lengths, and the choice is the
 * run's. */
typedef struct Layer {
  int count;
  real weights[4];
} Layer;

typedef struct Net {
  int count;
  Layer layers[3];
} Net;

static Net made_net(const real *x, int n) {
  Net net;
  net.count = n;
  for (int i = 0; i < net.count; i++) {
    net.layers[i].count = i + 1;
    for (int j = 0; j < net.layers[i].count; j++)
      net.layers[i].weights[j] = x[i + j];
  }
  return net;
}

static real output_of(const Net *net, const real *x) {
  real sum = 0;
  for (int i = 0; i < net->count; i++)
    for (int j = 0; j < net->layers[i].count; j++)
      sum += net->layers[i].weights[j] * x[j + 1];
  return sum;
}

SUM(nets_copied_and_chosen, 5, 1.1, 2.2, 3.3, 4.4, 5.5) {
  Net a = made_net(x, n % 3 + 1), b = made_net(x + 1, n % 4 + 1);
  Net *chosen = x[0] > 1 ? &a : &b, copy = *chosen;
  copy.layers[1] = b.layers[0];
  return output_of(&copy, x) + output_of(chosen, x);
}

/* A count before the elements: the second index of a pair starts at one. */
typedef struct Body {
  real at[3], mass;
} Body;

typedef struct Bodies {
  int count;
  Body bodies[4];
} Bodies;

static void pull(const Bodies *s, real force[][3]) {
  for (int i = 0; i < s->count; i++)
    force[i][0] = force[i][1] = force[i][2] = 0;
  for (int i = 0; i < s->count; i++)
    for (int j = i + 1; j < s->count; j++)
      for (int k = 0; k < 3; k++) {
        real d = s->bodies[j].at[k] - s->bodies[i].at[k];
        force[i][k] += s->bodies[j].mass * d;
        force[j][k] -= s->bodies[i].mass * d;
      }
}

SUM(bodies_behind_their_count, 12, 0.1, 0.2, 0.3, 1.4, -0.5, 0.6, 0.7, 1.8, 0.9, -1.0, 1.1, 2.2) {
  Bodies s;
  s.count = n / 4;
  for (int i = 0; i < s.count; i++) {
    for (int k = 0; k < 3; k++)
      s.bodies[i].at[k] = x[4 * i + k];
    s.bodies[i].mass = x[4 * i + 3];
  }
  real force[4][3];
  pull(&s, force);
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i < s.count; i++)
      for (int k = 0; k < 3; k++)
        s.bodies[i].at[k] += force[i][k] / 64;
    pull(&s, force);
  }
  return s.bodies[0].at[1] * s.bodies[1].at[2];
}

/* --- Members of which only indices out of other arrays would speak. ----------------------------
 */

typedef struct {
  long ids[5];
  short marks[5];
  int count;
  single f[3];
  wide d[2][2], e[4];
} Formats;

SUM(formats_beside_integers, 3, 0.75, -0.5, 0.25) {
  Formats *p = (Formats *)calloc((unsigned)n, sizeof *p);
  for (int k = 0; k < n; k++) {
    p[k].count = n - 1;
    for (int i = 0; i < n; i++)
      p[k].ids[i] = i + k;
    for (int i = 0; i < 5; i++)
      p[k].marks[i] = 1;
    for (int i = 0; i < 3; i++)
      p[k].f[i] = (single)(x[i % n] * (k + 1));
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 2; i++)
        p[k].d[j][i] = (wide)(x[(i + j) % n] + k);
    for (int i = 0; i < 4; i++)
      p[k].e[i] = (wide)(x[i % n] * (k + 1));
  }
  p[0] = p[n - 1];
  real sum = 0;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++)
      sum += (real)p[k].f[i] * x[i % n] + (real)p[k].e[i] * 2;
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < p[k].count; i++)
        sum += (real)p[k].d[j][i] * x[(i + 1) % n];
    if (p[k].ids[n - 1] > n)
      sum += x[2];
  }
  free(p);
  return sum;
}

typedef struct {
  bool known[3];
  single f[2][3];
  wide d[3];
  int count;
  int ids[5];
  single g[8];
} Flagged;

SUM(flags_beside_formats, 3, 0.75, -0.5, 0.25) {
  Flagged *p = (Flagged *)calloc((unsigned)n, sizeof *p);
  Flagged *m = (Flagged *)malloc((unsigned)n * sizeof *m);
  for (int k = 0; k < n; k++) {
    p[k].count = k % 2 + 1;
    for (int i = 0; i < 3; i++)
      p[k].known[i] = 1;
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 3; i++)
        p[k].f[j][i] = (single)(x[(i + j) % n] + k);
    for (int i = 0; i < 3; i++)
      p[k].d[i] = (wide)(x[i % n] * (k + 1));
    for (int i = 0; i < 8; i++)
      p[k].g[i] = (single)(x[i % n] * (k + 1));
  }
  memcpy(m, p, (unsigned)n * sizeof *m);
  real sum = 0;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 3; i++)
        sum += (real)m[k].f[j][i] * x[(i + 1) % n];
    for (int i = 0; i < m[k].count; i++)
      sum += (real)(m[k].d[i] * m[k].d[i]);
    for (int i = 0; i < 8; i++)
      sum += (real)(m[k].g[i] * m[k].g[i]);
    if (m[k].ids[1] > 1)
      sum += x[2];
  }
  free(m);
  free(p);
  return sum;
}

typedef struct {
  wide d[2][3];
  single f[8];
  char name[3];
  int count;
} Named;

SUM(text_beside_formats, 3, 0.75, -0.5, 0.25) {
  Named *p = (Named *)calloc((unsigned)n, sizeof *p);
  for (int k = 0; k < n; k++) {
    p[k].count = n > 2 ? 2 : n;
    snprintf(p[k].name, sizeof p[k].name, "%d", k);
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 3; i++)
        p[k].d[j][i] = (wide)(x[(i + j) % n] + k);
    for (int i = 0; i < p[k].count; i++)
      p[k].f[i] = (single)(x[i % n] * (k + 1));
  }
  p[0] = p[n - 1];
  real sum = 0;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < n; i++)
        sum += (real)p[k].d[j][i] * x[(i + 1) % n];
    for (int i = 0; i < 8; i++)
      sum += (real)p[k].f[i] * x[i % n];
    if (p[k].name[n - 3] > '1')
      sum += x[2];
  }
  free(p);
  return sum;
}

typedef struct {
  long ids[8];
  int count;
  unsigned marks[8];
  single f[2], last;
} Ends;

/* The last byte of an identifier further on would be one of `f`. */
SUM(integers_end_before_floats, 3, 0.75, -0.5, 0.25) {
  Ends *p = (Ends *)calloc((unsigned)n, sizeof *p);
  Ends *m = (Ends *)malloc((unsigned)n * sizeof *m);
  for (int k = 0; k < n; k++) {
    p[k].count = n;
    for (int i = 0; i < 8; i++)
      p[k].ids[i] = i + k;
    memset(p[k].marks, 0, sizeof p[k].marks);
    for (int i = 0; i < 2; i++)
      p[k].f[i] = (single)(x[i % n] * (k + 1));
    p[k].last = (single)x[k % 2];
  }
  for (int k = 0; k < n; k++)
    m[k] = p[k];
  real sum = 0;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < 2; i++)
      sum += (real)m[k].f[i] * x[i % n];
    sum += (real)m[k].last * x[1];
    if (m[k].ids[n - 1] > 2)
      sum += x[2];
  }
  free(m);
  free(p);
  return sum;
}

/* --- A number that is only copied, where an index may lead out of an array of integers. --- */

typedef struct Kit {
  long bits;
  wide weight;
  int counts[2];
  wide kept[2];
  wide last;
} Kit;

static NOINLINE double bits_of(const Kit *kit) {
  double number;
  memcpy(&number, &kit->bits, sizeof number);
  return number;
}

static Kit packed_by(Kit kit, int times) {
  if (times <= 0)
    return kit;
  Kit r = packed_by(kit, times - 1);
  r.weight += bits_of(&r);
  if (r.counts[(unsigned)times % 2] & 1)
    r.last += kit.last;
  return r;
}

SUM(kept_beside_counts, 3, 0.5, 1.5, 0.7) {
  Kit kit = {0, 0, {0}, {0}, 0};
  kit.kept[0] = (wide)x[2];
  for (int i = 0; i < n; i++)
    kit = packed_by(kit, i);
  return (real)(kit.kept[0] * kit.kept[0] + kit.kept[1]);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structs of numbers and integers that are passed and returned by value: two of their members may
 * travel in one register. */
// one-thread: rows_of_a_table
#include "cases.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct Vertex {
  real at[3];
  int weight;
} Vertex;

static Vertex scaled(Vertex a, real by) {
  for (int i = 0; i < 3; i++)
    a.at[i] *= by;
  return a;
}

static Vertex between(Vertex a, Vertex b, real t) {
  for (int i = 0; i < 3; i++)
    a.at[i] += t * (b.at[i] - a.at[i]);
  a.weight += b.weight;
  return a;
}

SUM(a_vertex_scaled, 4, 0.3, 1.1, -0.4, 1.2) {
  Vertex a = {{x[0], x[1], x[2]}, 2};
  for (int i = 0; i < n; i++)
    a = scaled(a, x[3]);
  return a.at[0] * a.at[1] * (real)a.weight + a.at[2];
}

SUM(vertices_in_between, 4, 0.3, 1.1, -0.4, 1.2) {
  Vertex v[3];
  for (int i = 0; i < 3; i++) {
    Vertex a = {{x[i], x[i + 1], x[i] * x[3]}, i};
    v[i] = a;
  }
  for (int i = 0; i < n + 1; i++)
    v[i % 3] = between(v[(i + 1) % 3], v[i % 3], x[3]);
  return v[0].at[0] * (real)v[0].weight + v[1].at[1] * v[2].at[2];
}

typedef struct Item {
  real cost;
  int node;
} Item;

static Item item(real cost, int node) {
  Item it = {cost * cost, node};
  return it;
}

SUM(items_returned, 4, 0.3, 1.1, -0.4, 1.2) {
  Item items[4];
  for (int i = 0; i < 4; i++)
    items[i] = item(x[i], i + 1);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += items[i].cost * (real)items[i].node;
  return sum;
}

typedef struct Matrix {
  int rows, columns;
  real a[9];
} Matrix;

static real norm(Matrix m) {
  real sum = 0;
  for (int i = 0; i < m.rows; i++)
    for (int j = 0; j < m.columns; j++)
      sum += m.a[i * m.columns + j] * m.a[j * m.rows + i];
  return sum;
}

static Matrix product(Matrix a, Matrix b) {
  Matrix r = {a.rows, b.columns, {0}};
  for (int i = 0; i < a.rows; i++)
    for (int j = 0; j < b.columns; j++)
      for (int k = 0; k < a.columns; k++)
        r.a[i * r.columns + j] += a.a[i * a.columns + k] * b.a[k * b.columns + j];
  return r;
}

SUM(matrices_by_value, 9, 0.3, 1.1, -0.4, 1.2, 0.5, -0.6, 0.7, 0.8, -0.9) {
  Matrix m = {3, 3, {0}};
  for (int i = 0; i < n; i++)
    m.a[i] = x[i];
  return norm(product(m, m));
}

enum { DEGREES = 6 };

typedef struct Polynomial {
  int count;
  real a[DEGREES];
} Polynomial;

static Polynomial product_of(Polynomial p, Polynomial q) {
  Polynomial r = {0, {0}};
  r.count = p.count + q.count - 1;
  if (r.count > DEGREES)
    r.count = DEGREES;
  for (int i = 0; i < p.count; i++)
    for (int j = 0; j < q.count && i + j < DEGREES; j++)
      r.a[i + j] += p.a[i] * q.a[j];
  return r;
}

SUM(polynomials_multiplied, 4, 0.3, 1.1, -0.4, 1.2) {
  Polynomial p = {2, {x[0], x[1]}}, q = {2, {x[2], x[3]}};
  for (int i = 0; i < n; i++)
    p = product_of(p, q);
  real sum = 0;
  for (int i = 0; i < p.count; i++)
    sum += p.a[i] * p.a[i] * (real)(i + 1);
  return sum;
}

typedef struct Sample {
  unsigned char mask;
  float light;
  real weight;
  long serial;
} Sample;

static void mix(Sample *a, Sample b) {
  a->light += b.light * 2;
  a->weight *= b.weight;
  a->serial += b.serial;
  a->mask ^= b.mask;
}

SUM(samples_mixed, 4, 0.3, 1.1, -0.4, 1.2) {
  Sample s[3];
  for (int i = 0; i < 3; i++) {
    Sample t = {(unsigned char)i, (float)(i + 1), x[i] * x[3], i * 7};
    s[i] = t;
  }
  for (int i = 0; i < n; i++)
    mix(&s[i % 3], s[(i + 1) % 3]);
  return s[0].weight * (real)s[1].light + s[1].weight * (real)s[2].serial + s[2].weight * s[0].mask;
}

typedef struct Badge {
  real at[3];
  char name[8];
  short id;
  bool on;
} Badge;

static Badge changed(Badge b, real by) {
  for (int i = 0; i < 3; i++)
    b.at[i] *= by;
  b.name[0]++;
  b.id = (short)(b.id + 3);
  b.on = !b.on;
  return b;
}

SUM(badges_changed, 4, 0.3, 1.1, -0.4, 1.2) {
  Badge b[2] = {{{x[0], x[1], x[2]}, "abc", 1, true}, {{x[3], x[2], x[1]}, "wxyz", 2, false}};
  for (int i = 0; i < n; i++)
    b[i % 2] = changed(b[(i + 1) % 2], x[3]);
  return b[0].at[0] * b[1].at[1] * b[0].id + (b[1].on ? b[1].at[2] : b[0].at[2]) +
         b[0].name[0] * b[0].at[1];
}

typedef struct Flagged {
  real value;
  short steps;
  bool on;
} Flagged;

static Flagged stepped(Flagged f, real by) {
  f.value *= by;
  f.steps = (short)(f.steps + 5);
  f.on = !f.on;
  return f;
}

SUM(flags_and_steps, 4, 0.3, 1.1, -0.4, 1.2) {
  Flagged f = {x[0], 3, true};
  for (int i = 0; i < n; i++)
    f = stepped(f, x[i] + 1);
  return f.value * f.steps + (f.on ? f.value : 0);
}

typedef struct Pixel {
  unsigned char r, g, b, a;
  real depth;
} Pixel;

static Pixel over(Pixel p, Pixel q) {
  if (p.depth * q.a > q.depth * p.a) {
    p.depth = q.depth * 0.5 + p.depth;
    p.r = q.r;
    p.g = (unsigned char)(p.g + q.g);
    p.b = (unsigned char)((p.b + q.b) / 2);
  }
  return p;
}

SUM(pixels_over_pixels, 4, 0.3, 1.1, -0.4, 1.2) {
  Pixel p[4];
  for (int i = 0; i < 4; i++) {
    Pixel q = {(unsigned char)i, (unsigned char)(2 * i), (unsigned char)(3 * i),
               (unsigned char)(1 + i % 2), x[i] * x[3]};
    p[i] = q;
  }
  Pixel o = p[0];
  for (int i = 1; i < n + 1; i++)
    o = over(o, p[(i * 3) % 4]);
  return o.depth * (real)(o.r + o.g + o.b + 1);
}

typedef struct Keyed {
  real value;
  unsigned char key;
} Keyed;

static Keyed keyed(real value, int key) {
  Keyed k = {value, (unsigned char)key};
  return k;
}

SUM(keys_in_the_upper_half, 4, 0.3, 1.1, -0.4, 1.2) {
  Keyed k[4];
  for (int i = 0; i < 4; i++)
    k[i] = keyed(x[i] * x[i], i);
  for (int i = 0; i + 1 < n; i++)
    if (k[i].key % 3 < k[i + 1].key % 2) {
      Keyed t = k[i];
      k[i] = k[i + 1];
      k[i + 1] = t;
    }
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += k[i].value * (real)(k[i].key * (i + 1));
  return sum;
}

typedef struct Coded {
  char tag;
  short code;
  real a, b;
} Coded;

static Coded recoded(Coded c, real by) {
  c.a = c.a * by + c.b;
  c.b *= (real)0.5;
  c.code++;
  c.tag ^= 1;
  return c;
}

SUM(codes_and_tags, 4, 0.3, 1.1, -0.4, 1.2) {
  Coded c[2] = {{'a', 1, x[0], x[1]}, {'b', 2, x[2], x[3]}};
  for (int i = 0; i < n + 1; i++)
    c[i & 1] = recoded(c[(i + 1) & 1], x[i % 4]);
  return c[0].a * c[0].code + c[1].b * c[1].tag;
}

enum { ROWS = 4 };

typedef struct Row {
  real cost;
  long count, total;
  int first;
  int links[3];
} Row;

static Row rows[ROWS];

static void add_row(Row *to, const Row *from, real by) {
  Row sum = *to;
  sum.cost += by * from->cost;
  sum.count += 1;
  *to = sum;
}

SUM(rows_of_a_table, 4, 0.3, 1.1, -0.4, 1.2) {
  memset(rows, 0, sizeof rows);
  for (int i = 0; i < ROWS; i++) {
    Row row = {x[i], i + 2, i + 4, i, {i, i + 1, i + 2}};
    rows[i] = row;
  }
  for (int k = 0; k < n + 2; k++) {
    for (int i = 1; i < ROWS; i++) {
      Row t = rows[i];
      int j = i;
      for (; j > 0 && rows[j - 1].cost > t.cost; j--)
        rows[j] = rows[j - 1];
      rows[j] = t;
    }
    memcpy(rows[k % ROWS].links, rows[(k + 1) % ROWS].links, sizeof rows[0].links);
    Row t;
    memcpy(&t, &rows[k % ROWS], sizeof t);
    t.cost *= rows[(k + 1) % ROWS].cost;
    memcpy(&rows[(k + 1) % ROWS], &t, sizeof t);
    add_row(&rows[k % ROWS], &rows[(k + 1) % ROWS], x[k % 4]);
  }
  real sum = 0;
  for (int i = 0; i < ROWS; i++)
    sum += rows[i].cost * (real)(rows[i].count + rows[i].links[i % 3]);
  return sum;
}

typedef struct Station {
  real at[2];
  real loads[5];
  short id;
  real flows[4];
  real level;
} Station;

static Station drained(Station a, Station b, real by) {
  for (int i = 0; i < 3; i++)
    a.level += by * b.flows[(i + 1) % 4];
  a.id++;
  return a;
}

SUM(stations_on_the_heap, 6, 0.3, 1.1, -0.4, 1.2, 0.7, -0.2) {
  Station *v = (Station *)calloc(3, sizeof *v);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 5; k++)
      v[i].loads[k] = x[(i + k) % 6];
    for (int k = 0; k < 4; k++)
      v[i].flows[k] = x[(i * 3 + k) % 6];
    v[i].at[0] = x[i];
    v[i].level = x[i + 3];
    v[i].id = (short)(i + 4);
  }
  for (int k = 0; k < n; k++) {
    Station t;
    memcpy(&t, &v[k % 3], sizeof t);
    t.loads[k % 5] = t.level * v[(k + 1) % 3].flows[k % 4];
    memcpy(&v[(k + 1) % 3], &t, sizeof t);
    v[k % 3] = drained(v[(k + 1) % 3], v[k % 3], x[k % 6]);
  }
  real sum = 0;
  for (int i = 0; i < 3; i++)
    sum += v[i].level * v[i].id + v[i].loads[i] * v[i].at[0];
  free(v);
  return sum;
}

/* --- Both halves of a register are changed. --- */

typedef struct Clock {
  int ticks;
  real time;
} Clock;

static NOINLINE Clock ticked(Clock c, real by) {
  c.time += by * c.time;
  c.ticks++;
  return c;
}

SUM(a_clock_that_ticks, 3, 0.3, 1.1, 0.4) {
  Clock c = {0, 1};
  while (c.ticks < 7)
    c = ticked(c, x[c.ticks % n]);
  return c.time * (real)c.ticks;
}

typedef struct Valve {
  real flow;
  bool open;
  signed char turns;
  unsigned char kind;
} Valve;

static NOINLINE Valve turned(Valve v, real by) {
  v.turns += 2;
  v.flow = -v.flow;
  v.open = !v.open;
  Valve other = v;
  other.flow *= by;
  if (v.open)
    return other;
  v.kind = (unsigned char)(v.kind + 3);
  return v;
}

SUM(valves_turned, 4, 0.3, 1.1, 0.4, 0.7) {
  Valve v[3] = {{1, false, 0, 1}, {2, true, 1, 2}, {3, false, 2, 3}};
  for (int i = 0; i < 2 * n; i++)
    v[i % 3] = turned(v[(i + 1) % 3], x[i % n]);
  return v[0].flow * (real)v[0].turns + v[1].flow * (real)v[2].open + v[2].flow * v[1].kind;
}

static Clock wound(Clock c, real by, int depth) {
  c.time += by * c.time;
  c.ticks++;
  if (depth > 0) {
    c = wound(c, by * by, depth - 1);
    c.time *= (real)c.ticks;
    c.ticks += 2;
  }
  return c;
}

SUM(a_clock_wound_by_recursion, 2, 0.3, 1.1) {
  Clock c = wound((Clock){1, x[1]}, x[0], n + 1);
  return c.time * (real)c.ticks;
}

typedef struct Walker {
  real x, y;
  int steps;
  real far;
} Walker;

static Walker walked(Walker w, real by, int depth) {
  w.far += by * w.x;
  w.steps++;
  if (depth > 0) {
    w = walked(w, by, depth - 1);
    w.far *= (real)w.steps;
    w.y += w.far;
  }
  return w;
}

SUM(a_walker_that_recurs, 2, 0.3, 1.1) {
  Walker w = walked((Walker){x[0], 2, 3, x[1]}, x[1], 3);
  return w.far * (real)w.steps + w.y * w.x;
}

/* --- What is made of one register goes on into another. --- */

typedef struct Tool {
  real wear;
  int uses[2];
} Tool;

static NOINLINE Tool used(Tool t, real by) {
  t.wear *= by;
  t.uses[0]++;
  return t;
}

static NOINLINE Tool worn(Tool t, real by, int times) {
  for (int i = 0; i < times; i++) {
    if (i == 2) {
      t.wear *= by;
      continue;
    }
    t = used(t, by);
  }
  return t;
}

SUM(tools_worn, 3, 0.5, 1.5, 0.75) {
  Tool t = {x[0], {0, 1}};
  t = worn(t, x[2], n);
  t = worn(t, x[1], 2);
  return t.wear * (real)t.uses[1];
}

/* --- The padding behind short members is moved by itself. --- */

typedef struct Ticket {
  real worth[2];
  signed char stamps[3];
  float share;
} Ticket;

static NOINLINE Ticket stamped(Ticket t, real by) {
  t.worth[0] *= t.stamps[0] & 1 ? by : 1;
  t.stamps[0]++;
  if (t.stamps[1] > 3) {
    t.stamps[2]++;
    return t;
  }
  t.stamps[1] += 2;
  t.worth[1] += t.worth[0] * (real)t.share;
  return t;
}

SUM(tickets_stamped, 3, 0.5, 1.5, 0.75) {
  Ticket t = {{x[0], x[1]}, {0, 1, 2}, 2};
  for (int i = 0; i < n; i++)
    t = stamped(t, x[2]);
  return t.worth[0] * (real)t.stamps[1] + t.worth[1] * (real)t.stamps[2];
}

/* --- Integers that recursion hands on unchanged beside floats. --- */

typedef struct Trip {
  int from;
  real fuel;
  int to;
  real load;
} Trip;

static NOINLINE Trip driven(Trip t, real by, int times) {
  if (!times)
    return t;
  t.fuel *= by;
  return driven(t, by, times - 1);
}

SUM(a_trip_by_recursion, 3, 0.5, 1.5, 0.75) {
  Trip t = {1, x[0], 2, x[1]};
  t = driven(t, x[2], n);
  return t.fuel * t.load * (real)t.to;
}

typedef struct Parcel {
  real weight;
  int stops;
} Parcel;

static NOINLINE Parcel sent(Parcel p, int stops) {
  if (!stops)
    return p;
  p.stops += stops;
  return sent(p, stops - 1);
}

SUM(a_parcel_by_recursion, 2, 0.5, 1.5) {
  Parcel p = {x[0] * x[1], n};
  p = sent(p, 3);
  return p.weight * p.weight * (real)p.stops;
}

static NOINLINE Parcel weighed(Parcel p, real by) {
  if (p.stops & 1)
    p.weight *= by;
  else
    p.stops = 1;
  p.weight += by * p.weight;
  return p;
}

static NOINLINE Parcel checked(Parcel p, real by, int times) {
  if (!times)
    return p;
  p = weighed(checked(p, by, times - 1), by);
  return p;
}

SUM(a_parcel_that_is_checked, 2, 0.5, 1.5) {
  Parcel p = {x[0], n};
  p = checked(p, x[1], 3);
  return p.weight * (real)p.stops;
}

/* --- A struct that comes from one of two calls. --- */

typedef struct Meter {
  int counts[3];
  real flow;
} Meter;

static NOINLINE Meter measured(Meter m, real by) {
  m.flow += by * (real)m.counts[1];
  if (m.counts[0] > 3) {
    m.counts[0] = m.counts[1];
    return m;
  }
  m.counts[1] += !(m.counts[1] & 1);
  m.counts[2] += 3;
  return m;
}

static NOINLINE Meter metered(Meter m, real by, int times) {
  while (times-- > 0) {
    if (times == 2) {
      m.counts[1] ^= 1;
      continue;
    }
    if (m.counts[0] == 5)
      return measured(m, by * by);
    m = measured(m, by);
  }
  m.counts[1]++;
  return m;
}

SUM(meters_read, 3, 0.5, 1.5, 0.75) {
  Meter m = {{0, 1, 0}, x[0]};
  m = metered(m, x[1], n);
  return m.flow * (real)(m.counts[0] + m.counts[1] + m.counts[2]) * x[2];
}

/* --- A float and small members in one register, handed through recursion. --- */

typedef struct Tagged {
  float level;
  unsigned char tag;
} Tagged;

typedef struct Heap {
  real sums[3];
  Tagged last;
} Heap;

static Heap heaped(Tagged t, int times, real by) {
  if (!times) {
    Heap h = {{by, by * by, 1}, t};
    return h;
  }
  t.level *= 0.5f;
  t.tag++;
  Heap h = heaped(t, times - 1, by);
  h.sums[0] += (real)t.level * by;
  h.last.tag += t.tag;
  return h;
}

SUM(heaps_of_tagged_levels, 2, 0.5, 1.5) {
  Tagged t = {3, 1};
  Heap h = heaped(t, n, x[0]);
  return h.sums[0] * (real)h.last.level + h.last.tag * h.sums[1] * x[1];
}

typedef struct Probe {
  int kept;
  float unread;
  real value;
} Probe;

static Probe probed(Probe p, real by, int times) {
  if (!times)
    return p;
  p.value *= by;
  p.kept++;
  return probed(p, by, times - 1);
}

SUM(a_probe_with_a_member_that_nobody_reads, 2, 0.5, 1.5) {
  Probe p;
  p.kept = 2;
  p.value = x[0];
  p = probed(p, x[1], n);
  return p.value * (real)p.kept;
}

typedef struct Mixture {
  int counts[2];
  float shares[2];
  signed char marks[2];
} Mixture;

static NOINLINE Mixture mixed(Mixture m, int times, real by) {
  if (!times)
    return m;
  m.shares[times & 1] *= 0.5f;
  m.marks[0]++;
  if (times == 2) {
    m.counts[1] += 2;
    return mixed(m, times - 1, by * by);
  }
  Mixture inner = mixed(m, times - 1, by);
  inner.shares[0] += m.shares[1];
  inner.counts[0] ^= m.marks[1];
  return inner;
}

SUM(mixtures_that_two_returns_hand_on, 2, 0.5, 1.5) {
  Mixture m = {{1, 2}, {3, 4}, {1, 2}};
  real sum = 0;
  for (int i = 0; i < n; i++) {
    m = mixed(m, i + 1, x[0]);
    sum += (real)m.shares[0] * x[1] * (real)m.counts[1];
  }
  return sum * (real)m.marks[0] + (real)m.counts[0] * x[0];
}

/* --- The bytes of a number in a member that is declared to be an integer. --- */

typedef struct Sealed {
  wide size;
  int times;
  int bits[sizeof(wide) / sizeof(int)];
} Sealed;

static NOINLINE void seal(Sealed *s, wide x) {
  wide kept = x;
  memcpy(s->bits, &kept, sizeof kept);
}

static NOINLINE wide opened(const Sealed *s) {
  wide x;
  memcpy(&x, s->bits, sizeof x);
  return x;
}

static NOINLINE Sealed resized(Sealed s, int times) {
  if (times <= 0)
    return s;
  s.times = times;
  Sealed r = resized(s, times - 1);
  r.size *= 0.5f;
  return r;
}

SUM(sealed_numbers_handed_on, 2, 0.5, 1.5) {
  Sealed s = {x[0], 0, {0}};
  seal(&s, x[0] * x[1]);
  s = resized(s, n);
  return (real)(opened(&s) * s.size) + s.times;
}

/* --- Structs too large for registers, of numbers and integers, that recursion hands on. --- */

typedef struct Ledger {
  float rates[2];
  real sum;
  int counts[2];
  float shares[2];
} Ledger;

static Ledger booked(Ledger l, Ledger other, real by, int times) {
  if (times <= 0)
    return l;
  if (l.counts[0] & 1)
    l.sum += by * (real)l.counts[(unsigned)times % 2] + (real)other.rates[times & 1] * other.sum;
  l.counts[1] += 3;
  return booked(l, other, by * by, times - 1);
}

SUM(ledgers_handed_on, 2, 0.5, 1.5) {
  Ledger l = {{2, 3}, x[0], {1, 2}, {4, 0.5f}};
  for (int i = 0; i < n; i++)
    l = booked(l, l, x[1], i);
  return l.sum * (real)l.shares[1] * (real)l.counts[1];
}

typedef struct Bin {
  signed char marks[4];
  int counts[4];
  float level;
} Bin;

static Bin filled(Bin b, real by, int times) {
  if (times <= 0)
    return b;
  if (times & 1)
    b.counts[(unsigned)times % 4] += (-b.marks[3]) & 15;
  b.level *= 0.5f;
  Bin r = filled(b, by + 1, times - 1);
  r.level += 2;
  return r;
}

SUM(bins_filled, 2, 0.5, 1.5) {
  static const Bin none = {{0}, {0}, 0};
  Bin b = none;
  for (int i = 0; i < n; i++) {
    b = filled(b, x[0], i);
    b.marks[3] = (signed char)i;
  }
  return (real)b.counts[3] * x[1] * x[0] + (real)b.level * x[1];
}

typedef struct Notch {
  unsigned char marks[4];
  int at;
  single depth;
} Notch;

static NOINLINE Notch notched(real depth, int at) {
  Notch made = {{0}, 0, 0};
  made.marks[3] = at & 7;
  made.at = at + 1;
  made.depth = (single)depth;
  return made;
}

SUM(notches_returned_in_two_registers, 2, 0.5, 1.5) {
  Notch all[3];
  for (int i = 0; i < 3; i++)
    all[i] = notched(x[0], i);
  all[(unsigned)n % 3] = notched(x[1], n);
  return (real)all[1].at * x[0] * x[1] + (real)all[2].depth * x[1] + all[0].marks[3];
}

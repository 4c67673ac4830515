// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that travel as integers, and memory in which integers and numbers lie side by side. */
#include "cases.h"

#include <stdint.h>

typedef struct {
  real a, b;
} Pair;

#ifdef __cplusplus
typedef real Bits;
static Bits bits_of(real t) { return t; }
static real of_bits(Bits b) { return b; }
static Bits flipped(Bits b) { return -b; }
static Bits flipped_if(Bits b, int k) { return k ? -b : b; }
static Bits cleared(Bits b) { return fabs(b); }
static Bits set(Bits b) { return -fabs(b); }
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Bits;

static Bits bits_of(real t) {
  Bits b;
  memcpy(&b, &t, sizeof b);
  return b;
}

static real of_bits(Bits b) {
  real t;
  memcpy(&t, &b, sizeof t);
  return t;
}

static const Bits SIGN = (Bits)1 << (8 * sizeof(Bits) - 1);
static Bits flipped(Bits b) { return b ^ SIGN; }
static Bits flipped_if(Bits b, int k) { return b ^ (Bits)(k != 0) << (8 * sizeof b - 1); }
static Bits cleared(Bits b) { return b & ~SIGN; }
static Bits set(Bits b) { return b | SIGN; }
#endif

/* From memory to memory: nothing but the sign says that it is a float on the way. */
MAP(signs_changed_as_integers, 6, 4, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  real a[8];
  for (int i = 0; i < 8; i++)
    a[i] = x[i % n];
  y[0] = of_bits(flipped(bits_of(a[2])));
  y[1] = of_bits(cleared(bits_of(a[3])));
  y[2] = of_bits(set(bits_of(a[7])));
  y[3] = of_bits(flipped(cleared(bits_of(x[n - 1] > 0 ? a[0] : a[1]))));
}

MAP(exchanged_as_integers, 6, 4, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  Bits b[6];
  for (int i = 0; i < n; i++)
    b[i] = bits_of(x[n - 1 - i]);
  Bits t = b[0];
  b[0] = b[5];
  b[5] = t;
  for (int i = 1; i < 5; i++)
    y[i - 1] = sin(of_bits(b[i - 1])) * of_bits(b[i + 1]);
}

MAP(pieces_of_one_block, 6, 2, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  char *block = (char *)malloc(16 * sizeof(real));
  real *a = (real *)block;
  int *k = (int *)(block + 3 * sizeof(real));
  Pair *p = (Pair *)(block + 7 * sizeof(real));
  for (int i = 0; i < 3; i++)
    a[i] = sin(x[i] + 0.011);
  for (int i = 0; i < 4; i++)
    k[i] = (i + n) % 3;
  for (int i = 0; i < 2; i++) {
    p[i].b = a[k[i]];
    p[i].a = k[i];
  }
  a[k[1]] *= p[0].b;
  y[0] = 0.5 * cos(a[k[2]] + p[1].b * a[0]) * p[1].a;
  free(block);
}

typedef union {
  real r;
  struct {
    int a, b;
  } k;
  real v[2];
} Cell;

MAP(cells_moved, 5, 2, 0.585, 0.775, -0.901, -0.372, 0.009) {
  Cell *c = (Cell *)malloc((size_t)n * sizeof(Cell));
  for (int i = 0; i < n; i++) {
    c[i].k.a = i;
    c[i].k.b = n;
    if (x[i] > 0)
      c[i].r = x[i] * x[i];
    else
      c[i].v[0] = c[i].v[1] = x[i];
  }
  for (int i = 1; i < n; i++) {
    Cell t = c[i];
    c[i] = c[i - 1];
    c[i - 1] = t;
  }
  y[0] = c[0].v[0] * c[4].r;
  y[1] = c[2].r * c[1].v[1];
  free(c);
}

/* A tag beside each union says what is in it: only the run knows. */
MAP(cells_by_tag, 6, 2, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  Cell c[6];
  int tag[6];
  for (int i = 0; i < n; i++) {
    tag[i] = x[i] > 0.3 ? 0 : x[i] > -0.5 ? 1 : 2;
    if (tag[i] == 0)
      c[i].r = x[i] * x[0];
    else if (tag[i] == 1) {
      c[i].k.a = i;
      c[i].k.b = n - i;
    } else
      c[i].v[0] = c[i].v[1] = x[i];
  }
  Cell t = c[1];
  c[1] = c[3];
  c[3] = t;
  int k = tag[1];
  tag[1] = tag[3];
  tag[3] = k;
  for (int i = 0; i < n; i++)
    if (tag[i] == 0)
      y[0] += c[i].r * x[2];
    else if (tag[i] == 1)
      y[1] += x[i] * (c[i].k.a - c[i].k.b);
    else
      y[1] += c[i].v[0] * c[i].v[1];
}

/* A block holds numbers, then integers that become numbers. */
MAP(block_of_both_in_turn, 6, 2, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  char *block = (char *)malloc(6 * sizeof(real));
  for (int k = 0; k < 2; k++) {
    real *a = (real *)block;
    for (int i = 0; i < n; i++)
      a[i] = x[i] * x[k];
    y[0] += a[1] * a[3] + a[k];
    int *m = (int *)block;
    for (int i = 0; i < n; i++)
      m[i] = i * n + k;
    y[1] += x[k] * m[n - 2];
  }
  free(block);
}

typedef struct {
  int a, b;
} Key;

typedef union {
  real r;
  Key k;
} Slot;

typedef struct {
  Slot c[3];
  int tag[3];
  real w;
} Row;

static void set_key(Key *k, int a, int b) {
  k->a = a;
  k->b = b;
}

static void fill_rows(Row *s, const real *x, int n) {
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < n / 2; j++) {
      int q = i * 3 + j;
      s[i].tag[j] = x[q] > 0.3 ? 0 : 1;
      if (s[i].tag[j] == 0)
        s[i].c[j].r = x[q] * x[0];
      else
        set_key(&s[i].c[j].k, q, n - q);
    }
    s[i].w = x[i] * x[i + 1];
  }
}

/* Integers that are only compared, beside numbers in the unions of one array: moved by whole
 * structs. */
MAP(rows_of_slots, 6, 2, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  Row *s = (Row *)malloc(2 * sizeof *s);
  Row t[2];
  fill_rows(s, x, n);
  t[0] = s[1];
  for (int i = 1; i < n / 3; i++)
    t[i] = s[n / 3 - 1 - i];
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++)
      if (t[i].tag[j] == 0)
        y[0] += t[i].c[j].r * x[2];
      else
        y[1] += (t[i].c[j].k.a > t[i].c[j].k.b ? x[j] : 2 * x[j]) * t[i].w;
    y[0] += t[i].w;
  }
  free(s);
}

typedef struct {
  Slot c;
  int tag;
  real w;
} Box;

MAP(boxes_reversed, 6, 2, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  Box c[6], d[6], e[6];
  for (int i = 0; i < n; i++) {
    c[i].tag = x[i] > 0.3 ? 0 : 1;
    c[i].w = x[i] * x[i];
    if (c[i].tag == 0)
      c[i].c.r = x[i] * x[0];
    else {
      c[i].c.k.a = i;
      c[i].c.k.b = n - i;
    }
  }
  for (int i = 0; i < n; i++)
    d[i] = c[n - 1 - i];
  memcpy(e, d, n * sizeof *e);
  for (int i = 0; i < n; i++)
    if (e[i].tag == 0)
      y[0] += e[i].c.r * x[2] + e[i].w;
    else
      y[1] += (e[i].c.k.a > e[i].c.k.b ? x[i] : 2 * x[i]) * e[i].w;
}

/* Slots of a block, copied by their number and turned by one. */
MAP(slots_turned, 6, 2, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  Slot *p = (Slot *)malloc(n * sizeof *p);
  Slot *q = (Slot *)malloc(n * sizeof *q);
  char *tag = (char *)malloc(n);
  for (int i = 0; i < n; i++) {
    tag[i] = x[i] > 0.3;
    if (tag[i])
      p[i].r = x[i] * x[0];
    else
      set_key(&p[i].k, i, 4);
  }
  memcpy(q, p, n * sizeof *p);
  Slot t = q[0];
  for (int i = 0; i + 1 < n; i++)
    q[i] = q[i + 1];
  q[n - 1] = t;
  for (int i = 0; i < n; i++)
    if (tag[(i + 1) % n])
      y[0] += q[i].r * x[2];
    else
      y[1] += q[i].k.a > q[i].k.b ? x[i] * x[1] : x[i] * x[2];
  free(p);
  free(q);
  free(tag);
}

/* Pairs of integers and numbers one after the other in a block, copied as a whole: an index may
 * lead anywhere in it. */
MAP(keys_and_numbers_in_one_block, 6, 2, 0.585, 0.775, -0.901, -0.372, 0.009, 0.349) {
  size_t bytes = n * (sizeof(Key) + sizeof(real));
  char *from = (char *)malloc(bytes);
  char *to = (char *)malloc(bytes);
  Key *k = (Key *)from;
  real *v = (real *)(from + n * sizeof(Key));
  for (int i = 0; i < n; i++) {
    set_key(&k[i], i, 3);
    v[i] = x[i] * x[0];
  }
  memcpy(to, from, bytes);
  k = (Key *)to;
  v = (real *)(to + n * sizeof(Key));
  for (int i = 0; i < n; i++)
    if (k[i].a > k[i].b)
      y[0] += v[i] * x[1];
    else
      y[1] += v[i] * v[i];
  free(from);
  free(to);
}

/* A float and an index in one integer of 64 bits, which is copied, and whose upper half leads on.
 */
typedef struct Step {
  real value;
  int next;
} Step;

SUM(index_beside_a_number, 3, 0.4, -0.7, 1.2) {
  Step steps[3] = {{x[0], 1}, {sin(x[1]), 2}, {0.5 * x[2], 0}};
  Step *at = &steps[1];
  for (int i = 0; i < 3; i++) {
    at->value = sin(at->value + x[i]);
    steps[i] = *at;
    at = &steps[steps[i].next];
  }
  return 0.5 * steps[0].value * steps[2].value + steps[1].value;
}

typedef struct Flagged {
  unsigned flags;
  real value;
} Flagged;

SUM(flags_beside_a_number, 3, 0.4, -0.7, 1.2) {
  Flagged items[4] = {{0x105u, x[0]}, {0x20002u, x[1]}, {0x7u, x[2]}, {0, 0}};
  real sum = 0;
  for (int i = 0; i < n; i++) {
    Flagged item = items[i];
    items[i + 1 < 4 ? (item.flags & 3) : 0] = item;
    sum += item.value * items[item.flags & 3].value * (real)(item.flags >> 16 ? 2 : 3);
  }
  return sum + items[1].value * items[3].value;
}

/* Numbers that members keep as bits: written by one function, read by another. */
typedef struct {
  Bits bits;
  int kind;
} Kept;

static NOINLINE void keep(Kept *kept, real number, int kind) {
  Bits bits;
  memcpy(&bits, &number, sizeof bits);
  kept->bits = bits;
  kept->kind = kind;
}

static NOINLINE real sum_of_kept(const Kept *kept, int n) {
  real sum = 1;
  for (int i = 0; i < n; i++) {
    Bits bits = kept[i].bits;
    real number;
    memcpy(&number, &bits, sizeof number);
    sum = kept[i].kind == 2 ? sum * number * number : sum + sum * number;
  }
  return sum;
}

SUM(bits_kept_in_members, 4, 0.3, 0.5, 0.7, 1.1) {
  Kept kept[4];
  for (int i = 0; i < 4; i++)
    keep(&kept[i], x[i % n] * x[0], i % 3 + 1);
  return sum_of_kept(kept, 4);
}

/* A callee puts the bits of a number into an integer of the caller's, which changes them, or hands
 * them on by value. */
static NOINLINE void put(Bits *to, real t) { *to = bits_of(t); }
static NOINLINE real taken(Bits bits) { return of_bits(bits); }

MAP(bits_of_the_caller, 3, 1, 0.6, -0.8, 1.4) {
  for (int i = 0; i < n; i++) {
    Bits bits;
    put(&bits, x[i] * x[0]);
    real t = taken(bits);
    y[0] += t * t * t;
  }
}

MAP(array_of_bits, 3, 1, 0.6, -0.8, 1.4) {
  Bits bits[3];
  for (int i = 0; i < 3; i++)
    put(&bits[i], x[i] * x[0]);
  for (int i = 0; i < 3; i++) {
    real t = taken(flipped(bits[i]));
    y[0] += t * t * t;
  }
}

typedef struct {
  Bits bits;
  int k;
} Marked;

MAP(bits_in_a_struct, 3, 1, 0.6, -0.8, 1.4) {
  Marked marked[2];
  for (int i = 0; i < 2; i++)
    put(&marked[i].bits, x[i] * x[2]);
  marked[1].k = n;
  real t = taken(marked[0].bits);
  y[0] = t * t * t * marked[1].k;
}

/* Only the run tells which signs change. */
MAP(signs_that_the_run_tells, 3, 1, 0.6, -0.8, 1.4) {
  Bits bits[3];
  for (int i = 0; i < 3; i++)
    bits[i] = flipped_if(bits_of(x[i] * x[0]), i % 2);
  for (int i = 0; i < 3; i++)
    y[0] += of_bits(flipped_if(bits[i], x[i] > 1)) * x[1];
}

typedef struct {
  int count;
  Bits bits[4];
} Bundle;

static NOINLINE Bundle bundle_of(const real *x, int count) {
  Bundle bundle;
  bundle.count = 0;
  for (int i = 0; i < count; i++)
    bundle.bits[bundle.count++] = bits_of(x[i] * x[0]);
  return bundle;
}

static NOINLINE real sum_of_bundle(Bundle bundle) {
  real sum = 0;
  for (int i = 0; i < bundle.count; i++)
    sum += of_bits(bundle.bits[i]);
  return sum;
}

MAP(bits_in_a_bundle, 3, 1, 0.6, -0.8, 1.4) {
  Bundle bundle = bundle_of(x, 3);
  for (int i = 0; i < bundle.count; i++)
    bundle.bits[i] = flipped_if(bundle.bits[i], i % 2);
  real t = sum_of_bundle(bundle);
  y[0] = t * t * t;
}

/* Two numbers in one integer, the halves of which are exchanged: a rotation, once optimised. */
#ifdef __cplusplus
typedef Pair Two;
static Two two_of(real a, real b) { return Two{a, b}; }
static Two exchanged(Two t) { return Two{t.b, t.a}; }
static real first_of(Two t) { return t.a; }
static real second_of(Two t) { return t.b; }
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (unsigned __int128)0, (uint64_t)0)) Two;
enum { HALF = 8 * sizeof(Bits) };
static Two two_of(real a, real b) { return (Two)bits_of(b) << HALF | bits_of(a); }
static Two exchanged(Two t) { return t << HALF | t >> HALF; }
static real first_of(Two t) { return of_bits((Bits)t); }
static real second_of(Two t) { return of_bits((Bits)(t >> HALF)); }
#endif

static NOINLINE Two turned(Two t) { return exchanged(t); }
static NOINLINE real weighed(Two t) { return first_of(t) * first_of(t) - second_of(t); }

MAP(halves_exchanged, 3, 1, 0.6, -0.8, 1.4) {
  Two t = turned(two_of(x[0] * x[1], x[2]));
  y[0] = weighed(t) * x[1];
}

/* A callee stores the bits that it is given by another callee. */
static NOINLINE void store_bits(Bits *to, Bits bits) { *to = bits; }
static NOINLINE void store_number(Bits *to, real t) { store_bits(to, bits_of(t)); }

MAP(bits_handed_on, 3, 1, 0.6, -0.8, 1.4) {
  Bits bits[2];
  for (int i = 0; i < n; i++)
    store_number(&bits[i & 1], x[i] * x[0]);
  y[0] = of_bits(bits[0]) * of_bits(bits[1]);
}

static NOINLINE void fill_bundle(Bundle *bundle, const real *x, int count) {
  bundle->count = count;
  for (int i = 0; i < count; i++)
    bundle->bits[i] = bits_of(x[i] * x[0]);
}

MAP(bits_in_a_bundle_of_the_heap, 3, 1, 0.6, -0.8, 1.4) {
  Bundle *bundle = (Bundle *)calloc(1, sizeof *bundle);
  fill_bundle(bundle, x, 3);
  for (int i = 0; i < bundle->count; i++)
    bundle->bits[i] = flipped_if(bundle->bits[i], i % 2);
  real t = sum_of_bundle(*bundle);
  y[0] = t * t * t;
  free(bundle);
}

typedef struct {
  Two two[4];
  int count;
} Twos;

static NOINLINE void fill_twos(Twos *to, real t, int count) {
  for (to->count = 0; to->count < count; to->count++)
    to->two[to->count] = two_of(t, t * t);
}
static NOINLINE void put_two(Two *to, real a, real b) { *to = two_of(a * b, b); }

/* Where a callee stores both, all that the caller's declaration tells is an integer. */
MAP(two_in_a_row_of_a_struct, 3, 2, 0.6, -0.8, 1.4) {
  struct {
    Twos in[2];
    real t;
  } one, other, third;
  fill_twos(&one.in[1], x[0], 2);
  y[0] = second_of(one.in[1].two[0]);
  for (other.in[1].count = 0; other.in[1].count < 2; other.in[1].count++)
    put_two(&other.in[1].two[other.in[1].count], x[1], x[2]);
  fill_twos(&third.in[1], x[1], n - 2);
  y[1] = second_of(third.in[1].two[0]) * 3;
}

static NOINLINE void put_twice(Twos *to, real t, int i) {
  to->two[i] = two_of(t, t);
  to->count++;
}

/* One number twice: a product, once optimised. */
MAP(one_number_twice, 4, 1, 0.6, -0.8, 1.4, 0.3) {
  Twos twos;
  memset(&twos, 0, sizeof twos);
  for (int i = 0; i < n; i++)
    put_twice(&twos, x[i], i);
  for (int i = 0; i < twos.count; i++)
    y[0] += first_of(twos.two[i]) * second_of(twos.two[i]) * (i + 1);
}

static NOINLINE Bundle turned_at(Bundle bundle, int at) {
  bundle.bits[at] = flipped(bundle.bits[at]);
  return bundle;
}
static NOINLINE Bundle *fresh_bundle(const real *x, int count) {
  Bundle *bundle = (Bundle *)malloc(sizeof *bundle);
  for (bundle->count = 0; bundle->count < count; bundle->count++) {
    real t = x[bundle->count] * x[0];
    memcpy(&bundle->bits[bundle->count], &t, sizeof t);
  }
  return bundle;
}

/* Its members behind the first are copied on by themselves, as bytes. */
MAP(rest_of_a_bundle, 2, 1, 0.6, -0.8) {
  Bundle bundle = bundle_of(x, n);
  bundle = turned_at(bundle, 0);
  y[0] = sum_of_bundle(bundle) * x[1];
  Bundle *other = fresh_bundle(x, 1);
  free(other);
}

/* What a callee is given by value is seen once it is inlined. */
MAP(halves_exchanged_twice, 2, 1, 0.6, -0.8) {
  Two two;
  put_two(&two, x[0], x[1]);
  two = exchanged(two);
  two = turned(two);
  y[0] = first_of(two) * x[n - 1];
}

MAP(halves_exchanged_in_a_row, 2, 2, 0.6, -0.8) {
  Two row[3];
  for (int i = 0; i < 3; i++)
    put_two(&row[i], x[0], x[1]);
  row[2] = exchanged(row[0]);
  row[2] = turned(row[2]);
  if (n > 1)
    row[0] = exchanged(row[1]);
  y[0] = first_of(row[2]) * x[n - 1];
  y[1] = second_of(row[0]);
}

static NOINLINE real sum_of_firsts(const Twos *from) {
  real sum = 0;
  for (int i = 0; i < from->count; i++)
    sum += first_of(from->two[i]) * (real)(i + 1);
  return sum;
}

/* That they are two is told by an index alone, which the loop changes in memory. */
MAP(halves_exchanged_where_a_loop_put_them, 2, 1, 0.6, -0.8) {
  struct {
    Twos in[2];
    real t;
  } one;
  for (one.in[1].count = 0; one.in[1].count < n - 1; one.in[1].count++)
    put_two(&one.in[1].two[one.in[1].count], x[0], x[1]);
  one.in[1].two[0] = exchanged(one.in[1].two[0]);
  y[0] = sum_of_firsts(&one.in[1]) * x[n - 1];
}

static NOINLINE void fill_three(Twos *to, real t, int count) {
  for (to->count = 0; to->count < count; to->count++)
    to->two[to->count] = two_of(t, t * t);
}

/* An upper half that is read is one already: others are still taken apart. */
MAP(halves_exchanged_behind_one_that_is_read, 3, 2, 0.6, -0.8, 1.4) {
  Twos *first = (Twos *)malloc(sizeof *first), other;
  fill_three(first, x[0], 3);
  Two two = first->two[0];
  first->two[0] = first->two[2];
  first->two[2] = two;
  real t = second_of(first->two[0]);
  y[0] = t / (n + t * t);
  free(first);
  for (other.count = 0; other.count < 1; other.count++)
    put_two(&other.two[other.count], x[1], x[2]);
  other.two[0] = exchanged(other.two[0]);
  y[1] = first_of(other.two[0]) * x[0];
}

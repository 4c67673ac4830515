# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C text for numbers that travel as bits: types, and functions that callers call.

As in helpers.py, the two definitions of what works on bits compute the same.
"""

TYPES = """
#ifdef __cplusplus
typedef real Word, Any;
typedef struct {
  narrow a, b;
} Two;
static Bits flipped_if(Bits b, int k) { return k ? -b : b; }
static Bits signed_like(Bits a, Bits b) { return (a < 0) != (b < 0) ? -a : a; }
static int is_less(Bits a, Bits b) { return a < b; }
static Two two_of(narrow a, narrow b) { return Two{a, b}; }
static Two two_turned(Two t) { return Two{t.b, t.a}; }
static narrow first_of(Two t) { return t.a; }
static narrow second_of(Two t) { return t.b; }
#else
typedef intptr_t Word;
typedef void *Any;
typedef __typeof__(__builtin_choose_expr(sizeof(narrow) == 8, (uint64_t)0, (uint32_t)0)) Few;
typedef __typeof__(__builtin_choose_expr(sizeof(narrow) == 8, (unsigned __int128)0, (uint64_t)0))
    Two;
static Bits flipped_if(Bits b, int k) { return b ^ (Bits)(k != 0) << (8 * sizeof b - 1); }
static Bits signed_like(Bits a, Bits b) {
  Bits sign = (Bits)1 << (8 * sizeof a - 1);
  return (a & ~sign) | (b & sign);
}
static int is_less(Bits a, Bits b) { return a < b; }
static Two two_of(narrow a, narrow b) {
  Few first, second;
  memcpy(&first, &a, sizeof a);
  memcpy(&second, &b, sizeof b);
  return (Two)second << (8 * sizeof(Few)) | first;
}
static Two two_turned(Two t) { return t << (8 * sizeof(Few)) | t >> (8 * sizeof(Few)); }
static narrow first_of(Two t) {
  Few bits = (Few)t;
  narrow r;
  memcpy(&r, &bits, sizeof r);
  return r;
}
static narrow second_of(Two t) { return first_of(t >> (8 * sizeof(Few))); }
#endif

typedef struct {
  Two two[4];
  int count;
} Twos;

typedef union {
  real r;
  Bits b;
} Either;

typedef struct {
  real r;
  Bits bits;
} Held;
static Held held_of(Bits b) {
  Held h = {0.5, b};
  return h;
}

typedef struct {
  int count;
  Bits bits[4];
} Parcel;

typedef struct LinkWord {
  struct LinkWord *next;
  Word load;
} LinkWord;

typedef struct LinkAny {
  Any load;
  struct LinkAny *next;
} LinkAny;

typedef struct {
  int keys[8];
  Word values[8];
} CellsWord;

typedef struct {
  struct {
    int key;
    Any value;
  } at[8];
} CellsAny;
"""

HELPERS = {
    "bits_in": """
static NOINLINE void bits_put_SEED(Bits *to, real t) { *to = bits_of(t * t); }
static NOINLINE Bits bits_made_SEED(real t) { return bits_of(t * t); }
static NOINLINE void bits_copied_in_SEED(Bits *to, real t) {
  t = t * t;
  memcpy(to, &t, sizeof t);
}
static NOINLINE void bits_moved_SEED(void *to, const void *from) { memcpy(to, from, sizeof(Bits)); }
static NOINLINE Held bits_held_SEED(real t) {
  Held h = {t, bits_of(t * t)};
  return h;
}
""",
    "bits_out": """
static NOINLINE real bits_taken_SEED(Bits b) { return of_bits(b); }
static NOINLINE real bits_read_SEED(const Bits *b) { return 0.5 * of_bits(*b); }
static NOINLINE real bits_copied_out_SEED(const void *b) {
  real t;
  memcpy(&t, b, sizeof t);
  return t;
}
static NOINLINE real bits_of_held_SEED(Held h) { return h.r * of_bits(h.bits); }
""",
    "bits_changed": """
static NOINLINE void bits_swap_SEED(Bits *a, Bits *b) {
  Bits t = *a;
  *a = *b;
  *b = t;
}
static NOINLINE Bits bits_turned_SEED(Bits b) { return flipped(b); }
static NOINLINE void bits_turn_SEED(Bits *b) { *b = flipped(*b); }
static NOINLINE Bits bits_like_SEED(Bits a, Bits b) { return signed_like(a, b); }
""",
    "bytes": """
static NOINLINE void bytes_put_SEED(char *to, int k, real t) {
  t = <<t>>;
  memcpy(to + k * (int)sizeof t, &t, sizeof t);
}
static NOINLINE real bytes_get_SEED(const char *from, int k) {
  real t;
  memcpy(&t, from + k * (int)sizeof t, sizeof t);
  return t;
}
static NOINLINE void bytes_move_SEED(char *to, const char *from, int count) {
  for (int i = 0; i < count; i++)
    to[i] = from[i];
}
""",
    "parcel": """
static NOINLINE void parcel_fill_SEED(Parcel *p, const real *v, int count) {
  p->count = count;
  for (int i = 0; i < count; i++)
    p->bits[i] = bits_of(<<v[i]>>);
}
static NOINLINE Parcel parcel_made_SEED(const real *v, int count) {
  Parcel p;
  p.count = 0;
  for (int i = 0; i < count; i++)
    p.bits[p.count++] = bits_of(v[i] * v[0]);
  return p;
}
static NOINLINE void parcel_copy_SEED(Parcel *p, const real *v, int count) {
  memcpy(p->bits, v, (size_t)count * sizeof *v);
  for (p->count = 0; p->count < count; p->count++) {
    real t = 0.5 * v[p->count];
    if (<?t?>)
      memcpy(&p->bits[p->count], &t, sizeof t);
  }
}
static NOINLINE Parcel *parcel_new_SEED(const real *v, int count) {
  Parcel *p = (Parcel *)malloc(sizeof *p);
  for (p->count = 0; p->count < count; p->count++) {
    real t = v[p->count] * v[0];
    memcpy(&p->bits[p->count], &t, sizeof t);
  }
  return p;
}
static NOINLINE void parcel_turn_SEED(Parcel *p) {
  for (int i = 0; i < p->count; i++)
    p->bits[i] = flipped_if(p->bits[i], i % 2);
}
static NOINLINE Parcel parcel_turned_SEED(Parcel p, int k) {
  p.bits[k] = flipped(p.bits[k]);
  return p;
}
static NOINLINE real parcel_sum_SEED(Parcel p) {
  real sum = 0;
  for (int i = 0; i < p.count; i++)
    sum = 0.5 * sum + of_bits(p.bits[i]);
  return sum;
}
""",
    "kept": """
static Bits kept_one_SEED, kept_row_SEED[3];
static NOINLINE void kept_put_SEED(real t) { kept_one_SEED = bits_of(<<t>>); }
static NOINLINE void kept_at_SEED(int k, real t) { memcpy(&kept_row_SEED[k], &t, sizeof t); }
static NOINLINE void kept_turn_SEED(void) { kept_one_SEED = flipped(kept_one_SEED); }
static NOINLINE real kept_get_SEED(int k) {
  return of_bits(kept_one_SEED) + 0.5 * of_bits(kept_row_SEED[k]);
}
""",
    "either": """
static NOINLINE void either_put_SEED(Either *u, real t) { u->r = <<t>>; }
static NOINLINE void either_bits_SEED(Either *u, Bits b) { u->b = b; }
static NOINLINE Either either_made_SEED(real t) {
  Either u;
  u.r = <<t>>;
  return u;
}
static NOINLINE void either_turn_SEED(Either *u) { u->b = flipped(u->b); }
static NOINLINE real either_get_SEED(Either u) { return u.r; }
static NOINLINE real either_at_SEED(const Either *u) { return of_bits(u->b); }
""",
    "halves_of": """
static NOINLINE void halves_of_put_SEED(uint32_t *to, real t) {
  t = <<t>>;
  memcpy(to, &t, sizeof t);
}
static NOINLINE real halves_of_get_SEED(const uint32_t *from) {
  real t;
  memcpy(&t, from, sizeof t);
  return t;
}
static NOINLINE void halves_of_move_SEED(uint32_t *to, const uint32_t *from) {
  for (int i = 0; i < (int)(sizeof(real) / 4); i++)
    to[i] = from[i];
}
""",
    "two": """
static NOINLINE void two_put_SEED(Two *to, narrow a, narrow b) { *to = two_of(a * b, b); }
static NOINLINE Two two_made_SEED(narrow a, narrow b) { return two_of(b, a * b); }
static NOINLINE Two two_turn_SEED(Two t) { return two_turned(t); }
static NOINLINE real two_sum_SEED(Two t) {
  return (real)first_of(t) * 0.5 + (real)second_of(t);
}
static NOINLINE void two_row_put_SEED(Twos *to, real t, int i) {
  to->two[i] = two_of((narrow)t, (narrow)(<<t>>));
  to->count = i + 1;
}
static NOINLINE void two_row_fill_SEED(Twos *to, narrow a, int count) {
  for (to->count = 0; to->count < count; to->count++)
    to->two[to->count] = two_of(a, a * a);
}
static NOINLINE void two_row_turn_SEED(Twos *to, int i) { to->two[i] = two_turned(to->two[i]); }
static NOINLINE real two_row_sum_SEED(const Twos *from) {
  real sum = 0;
  for (int i = 0; i < from->count; i++)
    sum += (real)first_of(from->two[i]) + 0.5 * (real)second_of(from->two[i]) + i;
  return sum;
}
""",
    "link": """
static NOINLINE LinkWord *link_Word_add_SEED(LinkWord *next, real t) {
  LinkWord *l = (LinkWord *)malloc(sizeof *l);
  t = <<t>>;
  l->load = 0;
  memcpy(&l->load, &t, sizeof t);
  l->next = next;
  return l;
}
static NOINLINE real link_Word_sum_SEED(const LinkWord *l) {
  real sum = 0;
  for (; l; l = l->next) {
    real t;
    memcpy(&t, &l->load, sizeof t);
    sum = 0.5 * sum + t;
  }
  return sum;
}
static NOINLINE LinkAny *link_Any_add_SEED(LinkAny *next, real t) {
  LinkAny *l = (LinkAny *)malloc(sizeof *l);
  t = <<t>>;
  l->load = 0;
  memcpy(&l->load, &t, sizeof t);
  l->next = next;
  return l;
}
static NOINLINE real link_Any_sum_SEED(const LinkAny *l) {
  real t = 0;
  if (l)
    memcpy(&t, &l->load, sizeof t);
  return l ? t + 0.5 * link_Any_sum_SEED(l->next) : t;
}
""",
    "cell": """
static NOINLINE void cell_Word_set_SEED(CellsWord *t, int key, real r) {
  int k = key & 7;
  while (t->keys[k] && t->keys[k] != key)
    k = (k + 1) & 7;
  t->keys[k] = key;
  memcpy(&t->values[k], &r, sizeof r);
}
static NOINLINE real cell_Word_get_SEED(const CellsWord *t, int key, real r) {
  int k = key & 7;
  while (t->keys[k] && t->keys[k] != key)
    k = (k + 1) & 7;
  if (t->keys[k])
    memcpy(&r, &t->values[k], sizeof r);
  return r;
}
static NOINLINE void cell_Any_set_SEED(CellsAny *t, int key, real r) {
  int k = key & 7;
  while (t->at[k].key && t->at[k].key != key)
    k = (k + 1) & 7;
  t->at[k].key = key;
  memcpy(&t->at[k].value, &r, sizeof r);
}
static NOINLINE real cell_Any_get_SEED(const CellsAny *t, int key, real r) {
  int k = key & 7;
  while (t->at[k].key && t->at[k].key != key)
    k = (k + 1) & 7;
  if (t->at[k].key)
    memcpy(&r, &t->at[k].value, sizeof r);
  return r;
}
""",
}

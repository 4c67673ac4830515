// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unions, numbers that travel as integers, memory that is used for one type and then another. */
#include "cases.h"

#include <stdint.h>

typedef union {
  struct {
    real x, y;
  } named;
  real indexed[2];
} Point;

SUM(struct_or_array, 4, 1.0, 2.0, 3.0, 4.0) {
  Point p[2];
  for (int i = 0; i < n; i++)
    p[i / 2].indexed[i % 2] = x[i] * x[0];
  Point q = p[1];
  q.named.x = q.named.x * p[0].named.y;
  p[0] = q;
  return p[0].indexed[0] * p[0].named.y + p[1].indexed[1];
}

typedef struct {
  real a, b;
} Pair;

SUM(chosen_pair, 4, 1.0, 2.0, 3.0, 4.0, -1.0, 2.0, 3.0, 4.0) {
  Pair p = {x[0], x[1] * x[1]};
  Pair q = {x[2], x[3] * x[0]};
  Pair r = p;
  for (int i = 0; i < n; i++) {
    r = x[i] > 1.5 ? q : p;
    p.a = p.a + r.b * r.a;
  }
  return r.a * p.a;
}

NOINLINE void copy_word(void *to, const void *from) { memcpy(to, from, sizeof(real)); }

SUM(word_through_void_pointers, 3, 1.0, 2.0, 3.0) {
  real a = x[0] * x[1];
  real b;
  copy_word(&b, &a);
  copy_word(&a, x + 2);
  return a * b * n;
}

#ifdef __cplusplus
static real negated(real x) { return -x; }
static real magnitude(real x) { return VALUE(x) < 0 ? -x : x; }
static real with_sign(real x, real y) { return (VALUE(x) < 0) == (VALUE(y) < 0) ? x : -x; }
static real bits_moved(real x) { return x; }
static real raised(real x) { return x * 8; }
static void raise_each(int n, real *x) {
  for (int i = 0; i < n; i++)
    x[i] = x[i] * 2;
}
#else
static NOINLINE double negated_wide(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits ^= UINT64_C(1) << 63;
  memcpy(&x, &bits, sizeof bits);
  return x;
}
static NOINLINE float negated_single(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits ^= UINT32_C(1) << 31;
  memcpy(&x, &bits, sizeof bits);
  return x;
}
static real negated(real x) { return sizeof x == 8 ? negated_wide(x) : negated_single(x); }
static NOINLINE double magnitude_wide(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~(UINT64_C(1) << 63);
  memcpy(&x, &bits, sizeof bits);
  return x;
}
static NOINLINE float magnitude_single(float x) {
  union {
    float f;
    uint32_t u;
  } bits = {x};
  bits.u &= UINT32_C(0x7fffffff);
  return bits.f;
}
static real magnitude(real x) { return sizeof x == 8 ? magnitude_wide(x) : magnitude_single(x); }
static NOINLINE double with_sign_wide(double x, double y) {
  uint64_t a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  a = (a & ~(UINT64_C(1) << 63)) | (b & (UINT64_C(1) << 63));
  memcpy(&x, &a, sizeof a);
  return x;
}
static NOINLINE float with_sign_single(float x, float y) {
  uint32_t a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  a = (a & UINT32_C(0x7fffffff)) | (b & UINT32_C(0x80000000));
  memcpy(&x, &a, sizeof a);
  return x;
}
static real with_sign(real x, real y) {
  return sizeof x == 8 ? with_sign_wide(x, y) : with_sign_single(x, y);
}
static NOINLINE uint64_t raised_bits(uint64_t bits) { return bits + (UINT64_C(3) << 52); }
static NOINLINE double raised_wide(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = raised_bits(bits);
  memcpy(&x, &bits, sizeof bits);
  return x;
}
static NOINLINE float raised_single(float x) {
  union {
    float f;
    uint32_t u;
  } bits = {x};
  bits.u += UINT32_C(3) << 23;
  return bits.f;
}
static real raised(real x) { return sizeof x == 8 ? raised_wide(x) : raised_single(x); }
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, UINT64_C(0), UINT32_C(0))) Word;
static NOINLINE void raise_each(int n, real *x) {
  for (int i = 0; i < n; i++) {
    Word bits;
    memcpy(&bits, x + i, sizeof bits);
    bits += (Word)1 << (sizeof bits == 8 ? 52 : 23);
    memcpy(x + i, &bits, sizeof bits);
  }
}
static NOINLINE real bits_moved(real x) {
  union {
    real number;
    unsigned char bytes[sizeof(real)];
    uint32_t words[sizeof(real) / 4];
  } a, b;
  a.number = x;
  b = a;
  return b.number;
}
#endif

SCALAR1(sign_flipped, 1.0, -2.0) { return negated(x * x) * x; }
SCALAR1(sign_cleared, 1.0, -2.0) { return magnitude(x * x * x) * x; }
SCALAR1(exponent_raised, 1.0, -2.0) { return raised(x * x + 1) * x; }
SUM(exponents_in_memory, 3, 1.0, -2.0, 0.5) {
  real squares[3] = {x[0] * x[0] + 1, x[1] - 9, x[2] * x[0] + 2};
  raise_each(n, squares);
  return squares[0] * squares[1] * squares[2];
}
SCALAR2(sign_given, 1.0, -2.0, -3.0, -1.0, 2.0, 1.5) { return with_sign(x * x * y, y) * x; }
SCALAR1(bytes_of_a_union, 1.0, -2.0) { return bits_moved(x * x) * x; }

#ifdef __cplusplus
static void rotate(real *a, int n) {
  real first = a[0];
  for (int i = 0; i + 1 < n; i++)
    a[i] = a[i + 1];
  a[n - 1] = first;
}
static void set_powers(real *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = (real)(1 << i);
}
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Word;
static NOINLINE void rotate_words(Word *a, int n) {
  Word first = a[0];
  for (int i = 0; i + 1 < n; i++)
    a[i] = a[i + 1];
  a[n - 1] = first;
}
static void rotate(real *a, int n) {
  Word words[4];
  memcpy(words, a, (size_t)n * sizeof *a);
  rotate_words(words, n);
  memcpy(a, words, (size_t)n * sizeof *a);
}
static NOINLINE void set_powers(real *a, int n) {
  union Pun {
    real number;
    Word bits;
  } *p = (union Pun *)a;
  for (int i = 0; i < n; i++)
    p[i].bits = sizeof(real) == 8 ? (Word)(1023 + i) << (sizeof(Word) == 8 ? 52 : 0)
                                  : (Word)(127 + i) << 23;
}
#endif

SUM(moved_as_words, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4];
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  rotate(a, n);
  return a[0] + 2 * a[1] + 3 * a[2] * a[3];
}

SUM(overwritten_by_bits, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4];
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  real r = a[1] * a[2];
  set_powers(a, n);
  for (int i = 0; i < n; i++)
    r += x[i] * a[i] * a[i];
  return r;
}

SUM(arena_of_two_types, 4, 1.0, 2.0, 3.0, 4.0) {
  char *arena = (char *)malloc(8 * sizeof(real));
  real *a = (real *)arena;
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[i];
  real r = a[0] * a[3];
  int *k = (int *)arena;
  for (int i = 0; i < n; i++)
    k[i] = n - 1 - i;
  real s = 0;
  for (int i = 0; i < n; i++)
    s += x[k[i]] * (i + 1) * r;
  free(arena);
  return s;
}

SUM(swapped_by_bytes, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4];
  for (int i = 0; i < n; i++)
    a[i] = x[i] * x[0];
  char t[sizeof(real)];
  for (int i = 0; i < n / 2; i++) {
    memcpy(t, a + i, sizeof t);
    memcpy(a + i, a + n - 1 - i, sizeof t);
    memcpy(a + n - 1 - i, t, sizeof t);
  }
  return a[0] * a[1] * a[1] + a[2] * x[3];
}

static NOINLINE void swap_bytes(void *a, void *b, size_t size) {
  char t[64];
  memcpy(t, a, size);
  memcpy(a, b, size);
  memcpy(b, t, size);
}

SUM(swapped_by_a_helper, 4, 1.0, 2.0, 3.0, 4.0) {
  Pair p = {x[0] * x[1], x[1]};
  Pair q = {x[2], x[3] * x[3]};
  swap_bytes(&p, &q, sizeof p);
  swap_bytes(&p.a, &q.b, sizeof(real));
  return p.a * q.a * n + p.b * q.b * q.b;
}

SUM(sorted_by_swaps, 5, 3.0, 1.0, 4.0, 2.0, 5.0) {
  Pair p[5];
  for (int i = 0; i < n; i++) {
    p[i].a = x[i] * x[i];
    p[i].b = x[i] * (i + 1);
  }
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && p[j].a < p[j - 1].a; j--) {
      Pair t = p[j];
      p[j] = p[j - 1];
      p[j - 1] = t;
    }
  real r = 0;
  for (int i = 0; i < n; i++)
    r = r * 0.5 + p[i].a * p[i].b;
  return r;
}

typedef struct {
  unsigned flag : 3;
  unsigned count : 13;
  real value;
  signed char sign;
} Packed;

SUM(bit_fields_beside_a_number, 4, 1.0, 2.0, 3.0, 4.0) {
  Packed p[4];
  for (int i = 0; i < n; i++) {
    p[i].flag = (unsigned)i & 3u;
    p[i].count = (unsigned)(n + i);
    p[i].value = x[i] * x[0];
    p[i].sign = (signed char)(i % 2 ? -1 : 1);
  }
  Packed q = p[1];
  q.flag = 2;
  p[3] = q;
  real r = 0;
  for (int i = 0; i < n; i++)
    r += p[i].value * p[p[i].flag].value * (real)(int)p[i].count * p[i].sign;
  return r;
}

typedef struct Link {
  real v;
  struct Link *next;
  real *at;
} Link;

/* Where a shadow pointer stays in the way of an adjoint, floats show it. */
MAP(arena_of_numbers_then_pointers, 6, 1, 0.143, 0.013, -0.191, 0.3, 0.4, 0.5) {
  char *arena = (char *)malloc(8 * sizeof(Link));
  real *a = (real *)arena;
  for (int i = 0; i < n; i++)
    a[i] = 0.5 * x[i];
  y[0] += cos(a[0]);
  Link *l = (Link *)arena;
  l->v = x[0];
  l->next = l;
  l->at = &x[2];
  *l->next->at += l->v;
  free(arena);
}

MAP(arena_of_pointers_then_numbers, 6, 1, 0.143, 0.013, -0.191, 0.3, 0.4, 0.5) {
  char *arena = (char *)malloc(8 * sizeof(Link));
  real *a = (real *)arena;
  Link *l = (Link *)arena;
  l->v = x[0];
  l->next = l;
  l->at = &x[2];
  *l->next->at += l->v;
  for (int i = 0; i < n; i++)
    a[i] = 0.5 * x[i];
  y[0] += cos(a[0]);
  free(arena);
}

MAP(arena_of_both_in_turn, 8, 1, 0.1, 0.4, -0.2, 0.3, 0.4, 0.5, 0.6, 0.7) {
  char *arena = (char *)malloc(8 * sizeof(Link));
  real *a = (real *)arena;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 6; i++)
      a[i] = x[i] * x[k];
    y[0] += a[0] * a[5] * a[k];
    Link *l = (Link *)arena;
    l->v = x[k];
    l->next = l;
    l->at = &x[k + 2];
    *l->next->at += l->next->v * x[1];
  }
  free(arena);
}

typedef union {
  real number;
  int words[2];
  unsigned char bytes[sizeof(real)];
} Either;

/* Integers lie where numbers lay before, and the other way round, as tags tell. */
MAP(tagged_members, 6, 2, 0.3, 1.2, -0.4, 0.8, 0.6, -1.1) {
  Either *e = (Either *)malloc(6 * sizeof(Either));
  int is_number[6];
  for (int i = 0; i < n; i++)
    e[i].number = x[i] * x[0];
  for (int i = 0; i < n; i++) {
    is_number[i] = (int)(x[i] > 0.5);
    if (!is_number[i])
      e[i].words[1] = n + 3;
  }
  for (int i = 0; i < n; i++)
    if (is_number[i])
      y[0] += e[i].number * x[i];
    else
      y[1] += x[5] * i;
  for (int i = 0; i < n; i++)
    e[i].number = y[0] * x[i];
  y[1] += e[1].number * e[4].number;
  free(e);
}

/* A byte, and all of the memory, set to something where no number is any more. */
MAP(bytes_after_numbers, 4, 2, 0.3, 1.2, -0.4, 0.8) {
  Either *e = (Either *)malloc(4 * sizeof(Either));
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++)
      e[i].number = x[i] * x[k];
    y[0] += e[k].number * e[3].number;
    e[k].bytes[n % 3] = 7;
    y[1] += x[k] * (real)(int)e[k].bytes[n % 3];
    memset(e, 0, (size_t)n * 4 + 3);
  }
  free(e);
}

static NOINLINE void lead(void *block, real *x) {
  real **p = (real **)block;
  p[0] = x;
  p[1] = x + 1;
  *p[0] += 0.5 * *p[1];
}

static NOINLINE real multiply(void *block, const real *x) {
  real *p = (real *)block;
  p[0] = x[0] * x[1];
  p[1] = x[2];
  return p[0] * p[1];
}

/* Helpers use one of two blocks for pointers, then for numbers. */
MAP(blocks_reused_by_helpers, 4, 3, 0.3, 1.2, -0.4, 0.8) {
  void *one = malloc(4 * sizeof(real) + 4 * sizeof(real *));
  void *other = malloc(4 * sizeof(real) + 4 * sizeof(real *));
  for (int i = 0; i < n; i++) {
    void *block = i & 1 ? one : other;
    lead(block, x);
    y[i % 3] += multiply(block, x);
    lead(block, x + 2);
  }
  free(one);
  free(other);
}

static NOINLINE void lead_and_multiply(void *block, real *x, real *y) {
  lead(block, x);
  *y += multiply(block, x);
}

/* The same, a call further away. */
MAP(block_reused_by_a_helper_of_helpers, 4, 2, 0.3, 1.2, -0.4, 0.8) {
  void *block = malloc(4 * sizeof(real) + 4 * sizeof(real *));
  for (int i = 0; i < n; i++)
    lead_and_multiply(block, x, y + i % 2);
  free(block);
}

typedef union {
  real *pointer;
  real number[2];
} Slot;

/* The member that a slot holds is copied to another. */
SUM(slots_copied_member_by_member, 4, 0.3, 1.2, -0.4, 0.8) {
  Slot from[4], to[4];
  real squares[4];
  for (int i = 0; i < n; i++) {
    squares[i] = x[i] * x[i];
    if (i % 2)
      from[i].pointer = squares + i;
    else
      from[i].number[0] = x[i] * x[1];
  }
  for (int i = 0; i < n; i++) {
    if (i % 2)
      to[3 - i].pointer = from[i].pointer;
    else
      to[3 - i].number[0] = from[i].number[0];
  }
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += i % 2 ? to[i].number[0] * to[i].number[0] : *to[i].pointer;
  return sum;
}

/* The pointers are read in every second slot, the numbers in the others. */
SUM(slots_read_in_pairs, 4, 0.3, 1.2, -0.4, 0.8) {
  Slot from[4], to[4];
  real squares[4], sum = 0;
  for (int i = 0; i < n; i++) {
    squares[i] = x[i] * x[i];
    if (i % 2)
      from[i].pointer = squares + i;
    else
      from[i].number[0] = x[i] * x[1];
  }
  for (int i = 0; i < n; i++) {
    if (i % 2)
      to[n - 1 - i].pointer = from[i].pointer;
    else
      to[n - 1 - i].number[0] = from[i].number[0];
  }
  for (int i = 0; i + 1 < n; i += 2)
    sum += *to[i].pointer * to[i + 1].number[0];
  return sum;
}

typedef union Free {
  union Free *next;
  real number[2];
} Free;

/* A list of the slots that hold no number at the time. */
SUM(slots_of_numbers_in_a_free_list, 4, 0.3, 1.2, -0.4, 0.8) {
  Free pool[6];
  Free *used[4];
  Free *list = NULL;
  real sum = 0;
  for (int i = 0; i < 6; i++) {
    pool[i].next = list;
    list = &pool[i];
  }
  for (int i = 0; i < n; i++) {
    used[i] = list;
    list = list->next;
    used[i]->number[0] = x[i];
    used[i]->number[1] = x[i] * x[0];
  }
  for (int i = 0; i < n; i++) {
    sum += used[i]->number[0] * used[i]->number[1];
    used[i]->next = list;
    list = used[i];
  }
  used[0] = list;
  list = list->next;
  used[0]->number[0] = x[1] * x[2];
  return sum + used[0]->number[0] * used[0]->number[0];
}

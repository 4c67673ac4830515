// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes of numbers that are copied into arrays of integers, moved there as these, and copied back,
 * as C allows: what the compiler says of integers tells nothing of them. */
#include "cases.h"

#include <stdint.h>

#ifdef __cplusplus
typedef real Bits;
#define CLEARED(b) fabs(b)
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Bits;
#define CLEARED(b) ((b) & ~((Bits)1 << (8 * sizeof(Bits) - 1)))
#endif

typedef struct {
  Bits a;
} Word;

typedef struct {
  Bits keys[3];
  real scale;
} Keys;

static NOINLINE void turn(Bits *to, const Bits *from, int n) {
  for (int i = 0; i < n; i++)
    to[i] = from[n - 1 - i];
}

static void square(real *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] *= y[i];
}

MAP(arrays, 3, 3, 0.5, -1.5, 2.5) {
  Bits t[3], u[3];
  memcpy(t, x, (size_t)n * sizeof *t);
  for (int i = 0; i < n; i++)
    u[i] = t[n - 1 - i];
  memcpy(y, u, (size_t)n * sizeof *u);
  square(y, n);
}

MAP(arrays_of_structs, 3, 3, 0.5, -1.5, 2.5) {
  Word t[3], u[3];
  memcpy(t, x, sizeof t);
  for (int i = 0; i < n; i++)
    u[i].a = t[n - 1 - i].a;
  memcpy(y, u, sizeof u);
  square(y, n);
}

MAP(structs_one_by_one, 3, 3, 0.5, -1.5, 2.5) {
  Word t[3], u[3];
  for (int i = 0; i < n; i++)
    memcpy(&t[i], &x[i], sizeof t[i]);
  for (int i = 0; i < n; i++)
    u[i] = t[n - 1 - i];
  memcpy(y, u, (size_t)n * sizeof *u);
  square(y, n);
}

MAP(arrays_in_structs, 3, 3, 0.5, -1.5, 2.5) {
  Keys a, b;
  memcpy(a.keys, x, sizeof a.keys);
  for (int i = 0; i < n; i++)
    b.keys[i] = a.keys[n - 1 - i];
  b.scale = x[0];
  memcpy(y, b.keys, sizeof b.keys);
  square(y, n);
  y[0] *= b.scale;
}

MAP(by_a_function, 3, 3, 0.5, -1.5, 2.5) {
  Bits t[3], u[3];
  memcpy(t, x, (size_t)n * sizeof *t);
  turn(u, t, n);
  memcpy(y, u, (size_t)n * sizeof *u);
  square(y, n);
}

MAP(without_signs, 3, 3, 0.5, -1.5, 2.5) {
  Bits t[3], u[3];
  memcpy(t, x, (size_t)n * sizeof *t);
  for (int i = 0; i < n; i++)
    u[i] = CLEARED(t[i]);
  memcpy(y, u, (size_t)n * sizeof *u);
  for (int i = 0; i < n; i++)
    y[i] *= y[i] * y[i];
}

/* A function puts them into a member of a struct, or others do by bytes, and another function, that
 * sees none of that, hands the struct on. Each has a struct of its own, of which no other tells. */
#define KEPT(type)                                                                                 \
  typedef struct {                                                                                 \
    real a;                                                                                        \
    Bits bits;                                                                                     \
  } type;                                                                                          \
  static NOINLINE void hand_on_##type(type *to, const type *from) { *to = *from; }

KEPT(PutByFunction)
KEPT(PutAsWhole)
KEPT(PutByBytes)

typedef struct {
  real a;
  char raw[sizeof(real)];
} Stored;

static NOINLINE void put(void *to, real value) { memcpy(to, &value, sizeof value); }

static NOINLINE real get(const void *from) {
  real value;
  memcpy(&value, from, sizeof value);
  return value;
}

static NOINLINE void hand_on_stored(Stored *to, const Stored *from) { *to = *from; }

SUM(put_by_a_function, 3, 0.5, -1.5, 2.5) {
  PutByFunction k[2];
  k[0].a = x[0];
  put(&k[0].bits, x[1] * x[2]);
  hand_on_PutByFunction(&k[1], &k[0]);
  return get(&k[1].bits) * k[1].a;
}

SUM(put_as_a_whole, 3, 0.5, -1.5, 2.5) {
  real pair[2] = {x[0], x[1] * x[2]};
  PutAsWhole k[2];
  memcpy(&k[0], pair, sizeof pair);
  hand_on_PutAsWhole(&k[1], &k[0]);
  memcpy(pair, &k[1], sizeof pair);
  return pair[0] * pair[1];
}

SUM(put_by_bytes, 3, 0.5, -1.5, 2.5) {
  PutByBytes *k = (PutByBytes *)malloc(2 * sizeof *k);
  real value = x[1] * x[2];
  k[0].a = x[0];
  memcpy((char *)k + sizeof(real), &value, sizeof value);
  hand_on_PutByBytes(&k[1], &k[0]);
  memcpy(&value, (char *)(k + 1) + sizeof(real), sizeof value);
  value *= k[1].a;
  free(k);
  return value;
}

SUM(put_into_characters, 3, 0.5, -1.5, 2.5) {
  Stored s[3];
  real r = 0;
  memset(s, 0, sizeof s);
  for (int i = 0; i < n; i++) {
    s[i % 3].a = x[i];
    put(s[i % 3].raw, x[i] * x[i]);
    hand_on_stored(&s[(i + 1) % 3], &s[i % 3]);
    r += get(s[1].raw) * s[1].a;
  }
  return r;
}

/* Over several members, in a struct that is then passed by value. */
typedef struct {
  char tag;
  unsigned char rest[sizeof(real) - 1];
  real d;
} Tagged;

static NOINLINE real of_tagged(Tagged t) {
  real y;
  memcpy(&y, &t, sizeof y);
  return y * t.d;
}

SUM(over_a_tag, 3, 0.5, -1.5, 2.5) {
  Tagged t;
  t.d = x[0] * x[2];
  memcpy(&t, &x[1], sizeof x[1]);
  Tagged copy = t;
  return of_tagged(copy);
}

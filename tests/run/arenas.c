// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory that holds one type after the other, and is copied in between: what was written last tells
 * what is moved. */
#include "cases.h"

#include <stdint.h>

typedef struct {
  real s;
  int k;
  real r;
  wide w;
} Mixed;

typedef struct Node {
  real v;
  struct Node *next;
  real *at;
} Node;

static void use_nodes(char *arena, real *x) {
  Node *q = (Node *)arena;
  q->v = x[0];
  q->next = NULL;
  q->at = &x[1];
  *q->at += 0.5 * q->v;
}

static real use_numbers(char *arena, const real *x) {
  real *q = (real *)arena;
  for (int i = 0; i < 4; i++)
    q[i] = x[i % 3];
  return q[1] * q[3];
}

static void set(Mixed *q, const real *x, int k) {
  q->k = k;
  q->r = x[0] * x[1];
  q->w = (wide)x[1];
  q->s = x[2];
}

static real used(const Mixed *q) { return 0.5 * q->r * (real)q->w + q->s * q->k; }

MAP(structs_after_pointers, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)malloc(4 * sizeof(Mixed));
  Mixed *q = (Mixed *)arena;
  use_nodes(arena, x);
  set(q, x, 1);
  q[1] = q[0];
  y[0] += used(q + 1) * q->s;
  free(arena);
}

MAP(structs_after_all, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)malloc(4 * sizeof(Mixed));
  Mixed *q = (Mixed *)arena;
  int *counts = (int *)arena;
  real *a = (real *)arena;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++)
      a[k] = x[k % 3] * x[i];
    y[0] += a[1] * a[3];
    for (int k = 0; k < 6; k++)
      counts[k] = k * n;
    y[0] += 0.1 * counts[i];
    use_nodes(arena, x);
    set(q, x, i);
    q[1] = q[0];
    y[0] += used(q + 1) * q->s;
  }
  free(arena);
}

/* Numbers of four bytes or counts lie in a gap of the struct. */
MAP(structs_before_pointers, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)malloc(4 * sizeof(Mixed));
  Mixed *q = (Mixed *)arena;
  int *counts = (int *)arena;
  real *a = (real *)arena;
  for (int i = 0; i < 6; i++)
    counts[i] = i * n;
  y[0] += 0.1 * counts[4];
  for (int i = 0; i < 4; i++)
    a[i] = x[i % n];
  y[0] += a[1] * a[3];
  set(q, x, 2);
  q[1] = q[0];
  y[0] += used(q + 1) * q->s;
  Node *node = (Node *)arena;
  node->next = NULL;
  node->at = &x[1];
  *node->at += 0.5 * x[0];
  y[0] += x[1];
  free(arena);
}

MAP(structs_written_on_two_ways, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)malloc(4 * sizeof(Mixed));
  Mixed *q = (Mixed *)arena;
  use_nodes(arena, x);
  if (x[0] > 0.5) {
    set(q, x, 2);
    y[0] += q->s;
  } else {
    set(q, x, 1);
    q->r = x[2];
  }
  q[1] = q[0];
  q[2] = q[1];
  y[0] += used(q + 2) * q->s;
  free(arena);
}

MAP(structs_over_zeros, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)calloc(4, sizeof(Mixed));
  Mixed *q = (Mixed *)arena;
  use_nodes(arena, x);
  y[0] += use_numbers(arena + sizeof(Mixed), x);
  memset(q, 0, sizeof *q);
  q->s = x[1];
  q->r = x[0] * x[2];
  q->k = n;
  q->w = (wide)x[0];
  memmove(q + 1, q, sizeof *q);
  y[0] += used(q + 1);
  free(arena);
}

/* The integer of the struct lies over a number, and is copied over another. */
MAP(numbers_after_structs, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)malloc(4 * sizeof(Mixed));
  Mixed *q = (Mixed *)arena;
  real *a = (real *)arena;
  use_nodes(arena, x);
  for (int i = 0; i < 8; i++)
    a[i] = x[i % 3] * x[0];
  y[0] += a[4] * a[5] * a[1];
  set(q, x, 2);
  q[1] = q[0];
  y[0] += used(q + 1);
  for (int i = 0; i < 8; i++)
    a[i] = x[i % 3] * x[1];
  y[0] += a[4] * a[5] * a[1];
  free(arena);
}

MAP(pointers_copied_after_numbers, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)malloc(4 * sizeof(Mixed));
  Node *q = (Node *)arena;
  y[0] += use_numbers(arena, x) + use_numbers(arena + sizeof(Node), x);
  q->v = x[2];
  q->next = q;
  q->at = &x[1];
  q[1] = q[0];
  *q[1].at += q[1].v * q[1].next->v;
  y[0] += *q[1].at;
  free(arena);
}

#ifdef __cplusplus
typedef real Bits;
static Bits bits_of(real x) { return x; }
static real of_bits(Bits bits) { return bits; }
static Bits doubled(Bits bits) { return bits + bits; }
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, UINT64_C(0), UINT32_C(0))) Bits;

typedef union {
  real number;
  Bits bits;
} Both;

static Bits bits_of(real x) {
  Both both;
  both.number = x;
  return both.bits;
}

static real of_bits(Bits bits) {
  Both both;
  both.bits = bits;
  return both.number;
}

static Bits doubled(Bits bits) { return bits + ((Bits)1 << (sizeof bits == 8 ? 52 : 23)); }
#endif

typedef struct {
  real u;
  int k;
} Tagged;

/* Integers that are checked when the program runs, beside some that cannot be. */
MAP(counts_beside_unused_bits, 3, 1, 0.3, 0.5, 0.7, 1.1, 0.2, 0.9) {
  char *arena = (char *)malloc(16 * sizeof(real));
  real *r = (real *)arena;
  int *k = (int *)(arena + 4 * sizeof(real));
  Tagged *t = (Tagged *)(arena + 8 * sizeof(real));
  for (int i = 0; i < n; i++) {
    r[i] = x[i];
    k[i] = (i + 1) % n;
  }
  for (int i = 0; i < 2; i++) {
    t[i].u = r[k[i]];
    t[i].k = k[i];
  }
  y[0] += r[t[1].k] * t[0].u;
  real unused = of_bits(doubled(bits_of(x[2] * x[1])));
  (void)unused;
  free(arena);
}

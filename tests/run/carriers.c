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
#endif

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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A block of memory that is an array of numbers at one time, and of structs at another: what
 * overwrites it leaves nothing of either in the shadow. */
#include "cases.h"

typedef struct {
  single s;
  int k;
  real r;
} Mixed;

typedef struct {
  single s;
  int k;
  real r;
  real *next;
} Linked;

#define NUMBERS(v)                                                                                 \
  real *v = (real *)block;                                                                         \
  v[0] = x[0];                                                                                     \
  v[1] = x[1];                                                                                     \
  v[2] = x[2];                                                                                     \
  v[3] = x[0] * x[1]

#define MIX(TYPE, m)                                                                               \
  TYPE *m = (TYPE *)block;                                                                         \
  m->s = 2;                                                                                        \
  m->k = 3;                                                                                        \
  m->r = x[1] * x[1];                                                                              \
  y[1] += m->r * (real)m->k

static real nothing[4] = {1, 2, 3, 4};

MAP(cleared, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Mixed));
  NUMBERS(v);
  y[0] = v[0] * v[3];
  MIX(Mixed, m);
  m[1] = m[0];
  memset(block, 0, 4 * sizeof(Mixed));
  y[2] = x[1] + v[0] * x[0];
  free(block);
}

MAP(copied_over, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Mixed));
  NUMBERS(v);
  y[0] = v[0] * v[3];
  MIX(Mixed, m);
  memcpy(block, nothing, sizeof nothing);
  y[2] = x[1] + sin(v[0]) * x[0];
  free(block);
}

MAP(cleared_beside_pointers, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Linked));
  real *ends = (real *)block;
  ends[0] = x[0];
  ends[1] = x[2];
  y[0] = ends[0] * ends[1];
  MIX(Linked, m);
  m->next = x;
  y[0] += *m->next;
  memset(block, 0, 2 * sizeof(real));
  y[2] = x[1] + ends[0] * x[0];
  free(block);
}

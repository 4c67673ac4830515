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

#define NUMBERS                                                                                    \
  for (int i = 0; i < 4; i++)                                                                      \
    ((real *)block)[i] = x[i % 3] * (real)(i + 1);

#define MIX(TYPE)                                                                                  \
  {                                                                                                \
    TYPE *m = (TYPE *)block;                                                                       \
    m->s = 2;                                                                                      \
    m->k = 3;                                                                                      \
    m->r = x[1] * x[1];                                                                            \
    y[1] += m->r * (real)m->k;                                                                     \
  }

static real nothing[4] = {1, 2, 3, 4};

MAP(cleared, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Mixed));
  NUMBERS
  y[0] = ((real *)block)[0] * ((real *)block)[3];
  MIX(Mixed)((Mixed *)block)[1] = ((Mixed *)block)[0];
  memset(block, 0, 4 * sizeof(Mixed));
  y[2] = x[1] + *(real *)block * x[0];
  free(block);
}

MAP(copied_over, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Mixed));
  NUMBERS
  y[0] = ((real *)block)[0] * ((real *)block)[3];
  MIX(Mixed)
  memcpy(block, nothing, sizeof nothing);
  y[2] = x[1] + sin(*(real *)block) * x[0];
  free(block);
}

MAP(cleared_beside_pointers, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Linked));
  real *ends = (real *)block;
  ends[0] = x[0];
  ends[1] = x[2];
  y[0] = ends[0] * ends[1];
  MIX(Linked)((Linked *)block)->next = x;
  y[0] += *((Linked *)block)->next;
  memset(block, 0, 2 * sizeof(real));
  y[2] = x[1] + ends[0] * x[0];
  free(block);
}

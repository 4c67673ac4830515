// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The memory that a woven program is given: with GIVEN, structs and arrays that hold pointers to
 * each other; without, an array. */
#include "case.c"

#ifdef GIVEN

typedef struct {
  Given given;
  Small small;
  real heap[4];
  Node nodes[3];
#ifdef RECORD
  Record records[RECORDS];
#endif
} Memory;

#define ARGUMENT(memory) (&(memory)->given)

static int places_of_small(Small *s, real **at) {
  real *all[] = {&s->a, &s->b, &s->v[0], &s->v[1], &s->v[2]};
  memcpy(at, all, sizeof all);
  return 5;
}

/* Where the numbers are, those of structs last; returns how many. */
static int places(Memory *memory, real **at) {
  Given *g = &memory->given;
  real *ranges[] = {&g->r, g->x, g->q.r, memory->heap, g->large.m[0]};
  const int counts[] = {1, 6, 2, 4, 4};
  Small *smalls[] = {&g->s, g->w, g->w + 1, &memory->small, &g->large.s, g->large.w};
  int n = 0;
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < counts[i]; k++)
      at[n++] = ranges[i] + k;
  for (int i = 0; i < 3; i++) {
    at[n++] = &memory->nodes[i].v;
    at[n++] = &memory->nodes[i].w[0];
    at[n++] = &memory->nodes[i].w[1];
  }
  for (int i = 0; i < 6; i++)
    n += places_of_small(smalls[i], at + n);
#ifdef VARIANT
  at[n++] = &g->any[0].u.d;
#endif
#ifdef RECORD
  for (int i = 0; i < RECORDS; i++) {
    at[n++] = &memory->records[i].v;
    at[n++] = &g->records[i].v;
  }
#endif
  return n;
}

/* Sets pointers, integers and the list; the numbers are zero. */
static void arrange(Memory *memory) {
  Given *g = &memory->given;
  memset(memory, 0, sizeof *memory);
  g->p = memory->heap;
  g->at = &memory->small;
  g->k = 3;
  g->s.k = 1;
  g->rows[0] = memory->heap + 1;
  g->rows[1] = g->x + 2;
  g->large.p = g->x + 1;
  g->list = memory->nodes;
#ifdef VARIANT
  g->any[1] = made(g->x, g->any, 0, tags[1]);
#endif
#ifdef RECORD
  g->block = (char *)memory->records;
  connect(g->records);
  connect(memory->records);
#endif
  for (int i = 0; i < 3; i++) {
    memory->nodes[i].tag = i;
    memory->nodes[i].next = i < 2 ? memory->nodes + i + 1 : NULL;
  }
}

#else

typedef struct {
  real x[6];
} Memory;

#define ARGUMENT(memory) ((memory)->x)

static int places(Memory *memory, real **at) {
  for (int i = 0; i < 6; i++)
    at[i] = memory->x + i;
  return 6;
}

static void arrange(Memory *memory) { memset(memory, 0, sizeof *memory); }

#endif

enum { MOST = 72 };

static int fill(Memory *memory, const real *numbers) {
  real *at[MOST];
  arrange(memory);
  int count = places(memory, at);
  for (int i = 0; i < count; i++)
    *at[i] = numbers[i];
  return count;
}

static void take(Memory *memory, real *numbers) {
  real *at[MOST];
  int count = places(memory, at);
  for (int i = 0; i < count; i++)
    numbers[i] = *at[i];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fno-strict-aliasing
/* Numbers that are moved as the integer members of structs laid over them; what is computed with
 * before or afterwards tells that they are numbers. */
#include "cases.h"

#include <stdint.h>

#ifdef __cplusplus
typedef real Bits;
#else
typedef __typeof__(__builtin_choose_expr(sizeof(real) == 8, (uint64_t)0, (uint32_t)0)) Bits;
#endif

typedef struct {
  Bits word;
} Word;

static void square(real *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] *= y[i];
}

MAP(structs_copied_whole, 3, 3, 0.5, 1.5, 2.5) {
  Word *to = (Word *)y;
  const Word *from = (const Word *)x;
  for (int i = 0; i < 3; i++)
    to[i] = from[2 - i];
  square(y, 3);
}

MAP(members_copied, 3, 3, 0.5, 1.5, 2.5) {
  Word *to = (Word *)y;
  const Word *from = (const Word *)x;
  for (int i = 0; i < 3; i++)
    to[i].word = from[2 - i].word;
  square(y, 3);
}

MAP(members_exchanged, 3, 3, 0.5, 1.5, 2.5) {
  Word *a = (Word *)x, *b = (Word *)y;
  for (int i = 0; i < 3; i++) {
    Bits word = a[i].word;
    a[i].word = b[2 - i].word;
    b[2 - i].word = word;
  }
  square(y, 3);
}

SUM(members_between_numbers, 3, 0.5, 1.5, 2.5) {
  real *copy = (real *)malloc(3 * sizeof *copy);
  Word *to = (Word *)copy;
  const Word *from = (const Word *)x;
  for (int i = 0; i < 3; i++)
    to[i].word = from[i].word;
  real sum = copy[0] * copy[1] * copy[2] * (real)n;
  free(copy);
  return sum;
}

static NOINLINE void move(Word *to, const Word *from, int n) {
  for (int i = 0; i < n; i++)
    to[i].word = from[n - 1 - i].word;
}

SUM(a_helper_that_moves_members, 3, 0.5, 1.5, 2.5) {
  real moved[3];
  move((Word *)moved, (const Word *)x, 3);
  return moved[0] * moved[0] * moved[1] + moved[2] * (real)n;
}

/* --- What is integers and pointers remains so. --- */

typedef struct Node {
  struct Node *next;
  real value;
} Node;

typedef struct {
  Node *first;
  Bits count;
} List;

#ifdef __cplusplus
static int number_of(Bits count) { return (int)VALUE(count); }
#else
static int number_of(Bits count) { return (int)count; }
#endif

static real sum_of(const List *list) {
  real sum = 0;
  const Node *at = list->first;
  for (int i = 0; i < number_of(list->count); i++, at = at->next)
    sum += at->value * (real)(i + 1);
  return sum;
}

static NOINLINE void exchange(List *a, List *b) {
  Node *first = a->first;
  Bits count = a->count;
  a->first = b->first;
  a->count = b->count;
  b->first = first;
  b->count = count;
}

SUM(links_and_counts_exchanged, 3, 0.5, 1.5, 2.5) {
  Node nodes[3];
  for (int i = 0; i < 3; i++) {
    nodes[i].next = i == 1 ? &nodes[2] : NULL;
    nodes[i].value = x[i] * x[i] * (real)n;
  }
  List one = {&nodes[0], 1}, two = {&nodes[1], 2};
  exchange(&one, &two);
  return sum_of(&one) * sum_of(&two);
}

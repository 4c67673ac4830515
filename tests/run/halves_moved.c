// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that are moved as integers of half their width, one after the other. */
// reals: double
#include "cases.h"

#include <stdint.h>

#ifdef __cplusplus
enum { WORDS = 1 };
typedef real Word;
typedef real Words;
#else
enum { WORDS = 2 };
typedef uint32_t Word;
typedef Word Words __attribute__((vector_size(8), aligned(4), may_alias));
#endif

typedef struct {
  Word word[WORDS];
  int count;
} Number;

static NOINLINE void put(Word *to, real t) {
  t = t * t;
  memcpy(to, &t, sizeof t);
}
static NOINLINE real get(const Word *from) {
  real t;
  memcpy(&t, from, sizeof t);
  return t;
}
static NOINLINE void move(Word *to, const Word *from, int count) {
  for (int i = 0; i < count; i++)
    to[i] = from[i];
}

MAP(halves_copied, 3, 2, 0.5, -1.5, 2.0) {
  Word rows[3][WORDS];
  for (int i = 0; i < 3; i++)
    put(rows[i], x[i]);
  for (int i = 0; i < WORDS; i++)
    rows[1][i] = rows[0][i];
  y[0] = get(rows[1]) * x[2];
  move(rows[2], rows[1], WORDS);
  y[1] = get(rows[2]) - get(rows[0]) * x[1];
}

MAP(halves_exchanged, 2, 2, 0.5, -1.5) {
  Number a, b;
  a.count = 3;
  b.count = 5;
  put(a.word, x[0]);
  put(b.word, x[1]);
  if (n > 1)
    for (int i = 0; i < WORDS; i++) {
      Word word = a.word[i];
      a.word[i] = b.word[i];
      b.word[i] = word;
    }
  y[0] = get(a.word) * a.count;
  y[1] = get(b.word) * b.count;
}

MAP(halves_of_the_heap, 3, 2, 0.5, -1.5, 2.0) {
  Number *numbers = (Number *)malloc(n * sizeof *numbers);
  for (int i = 0; i < n; i++) {
    put(numbers[i].word, x[i]);
    numbers[i].count = i;
  }
  for (int i = 0; i + 1 < n; i++)
    for (int k = 0; k < WORDS; k++)
      numbers[i].word[k] = numbers[i + 1].word[k];
  y[0] = get(numbers[0].word) * numbers[1].count;
  y[1] = get(numbers[1].word) * numbers[2].count;
  free(numbers);
}

MAP(halves_in_a_vector, 2, 1, 0.5, -1.5) {
  Word rows[2][WORDS];
  put(rows[0], x[0]);
  put(rows[1], x[1]);
  if (n > 1)
    *(Words *)rows[1] = *(const Words *)rows[0];
  y[0] = get(rows[0]) * get(rows[1]);
}

MAP(halves_in_any_order, 3, 2, 0.5, -1.5, 2.0) {
  Word rows[4][WORDS];
  for (int i = 0; i < 3; i++)
    put(rows[i], x[i]);
  put(rows[3], x[0] * x[1]);
  rows[1][WORDS - 1] = rows[0][WORDS - 1];
  rows[2][0] = rows[3][0];
  rows[2][WORDS - 1] = rows[3][WORDS - 1];
  rows[1][0] = rows[0][0];
  y[0] = get(rows[1]) * x[1];
  y[1] = get(rows[2]);
}

/* Elements of which only the run tells whether they are one. */
typedef union {
  real number;
  struct {
    Word word[WORDS];
  } half;
} Halves;

static NOINLINE void exchange(Halves *a, Halves *b) {
  Word lower = a->half.word[0], upper = a->half.word[WORDS - 1];
  a->half.word[0] = b->half.word[0];
  a->half.word[WORDS - 1] = b->half.word[WORDS - 1];
  b->half.word[0] = lower;
  b->half.word[WORDS - 1] = upper;
}

SUM(halves_in_a_union, 3, 0.5, -1.5, 2.0) {
  Halves all[3];
  for (int i = 0; i < 3; i++)
    all[i].number = x[i] * x[0];
  for (int i = 0; i < n + 2; i++)
    exchange(&all[i % 3], &all[(i + 1) % 3]);
  real sum = 0;
  for (int i = 0; i < 3; i++)
    sum += all[i].number * all[i].number * i;
  return sum;
}

/* Integers stay what they are. */
MAP(beside_integers, 2, 1, 0.5, -1.5) {
  struct {
    Word word[WORDS];
    uint32_t index[4];
  } all;
  put(all.word, x[0] * x[1]);
  all.index[0] = (uint32_t)n;
  for (int i = 0; i < 3; i++)
    all.index[i + 1] = all.index[i];
  y[0] = get(all.word) * (real)all.index[3];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* Records that are exchanged by way of something that is declared to be something else: a struct of
 * integers, an array of numbers, room for whatever there is, a union's member. And zeros that come
 * as integers, or from new memory. */
#include "cases.h"

#include <stddef.h>

typedef struct Record {
  real value;
  struct Record *link;
} Record;

typedef struct {
  long words[sizeof(Record) / sizeof(long)];
} Words;

static NOINLINE void exchange_by_words(char *base, size_t at) {
  Record *record = (Record *)(base + at);
  Words words;
  memcpy(&words, record, sizeof words);
  memcpy(record, record + 1, sizeof words);
  memcpy(record + 1, &words, sizeof words);
}

static NOINLINE void exchange_by_numbers(Record *a, Record *b) {
  double room[2 * sizeof(Record) / sizeof(double)];
  memcpy(room, a, sizeof *a);
  memcpy(a, b, sizeof *a);
  memcpy(b, room, sizeof *a);
}

static NOINLINE void exchange_by_most(void *a, void *b) {
  max_align_t room[2];
  memcpy(room, a, sizeof(Record));
  memcpy(a, b, sizeof(Record));
  memcpy(b, room, sizeof(Record));
}

static Record *make(char *base, const real *x, int n) {
  Record *record = (Record *)(base + (x[0] > 10 ? 64 : 128));
  for (int i = 0; i < n; i++) {
    record[i].value += x[i] * (real)(i + 1);
    record[i].link = &record[i];
  }
  return record;
}

static real weigh_and_free(char *base, const Record *record, int n) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += record[i].value * (real)(i + 1) + record[i].link->value * (real)((i + 1) * (i + 1));
  free(base);
  return sum;
}

SUM(by_words, 3, 1.5, 2.25, 0.5) {
  char *base = (char *)calloc(1, 1024);
  Record *record = make(base, x, n);
  exchange_by_words(base, (size_t)((char *)record - base));
  return weigh_and_free(base, record, n);
}

SUM(by_numbers, 3, 1.5, 2.25, 0.5) {
  char *base = (char *)calloc(1, 1024);
  Record *record = make(base, x, n);
  exchange_by_numbers(record, record + 1);
  return weigh_and_free(base, record, n);
}

SUM(by_most, 3, 1.5, 2.25, 0.5) {
  char *base = (char *)calloc(1, 1024);
  Record *record = make(base, x, n);
  exchange_by_most(record, record + 1);
  return weigh_and_free(base, record, n);
}

/* --- By a member of a union. --- */

typedef struct {
  real value;
  long key;
} Keyed;

typedef union {
  Keyed keyed;
  struct {
    long words[sizeof(Keyed) / sizeof(long)];
  } all;
} Either;

static NOINLINE void move_words(Either *at) { at[0].all = at[1].all; }

SUM(by_a_member, 2, 1.5, 2.25) {
  char *base = (char *)calloc(1, 1024);
  Keyed *keyed = (Keyed *)(base + (x[0] > 10 ? 64 : 128));
  for (int i = 0; i < n; i++) {
    keyed[i].value += x[i] * x[0];
    keyed[i].key = i + 1;
  }
  move_words((Either *)keyed);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += keyed[i].value * (real)(keyed[i].key + i);
  free(base);
  return sum;
}

/* --- Zeros. --- */

typedef struct {
  real *first, *second;
} Both;

static NOINLINE real read_behind_a_zero(Both *both) {
  memset(both->second, 0, sizeof(real));
  return both->first[1];
}

SUM(zero_by_an_alias, 2, 1.5, 2.25) {
  real copy[3] = {x[0], x[0] * x[1], x[1]};
  Both both = {copy, copy + 1};
  real sum = copy[1] * (real)n + read_behind_a_zero(&both);
  return sum + copy[0] * copy[2];
}

typedef struct {
  real value, other;
  struct {
    real inner;
    long count;
  } member;
  real last;
} Large;

static NOINLINE void assign_new(Large *large, int k) {
  Large *own = (Large *)calloc(4, sizeof(Large));
  Large *to = large + (k & 3), *from = own + 3;
  *to = *from;
  free(own);
}

SUM(zeros_assigned, 2, 1.5, 2.25) {
  Large *large = (Large *)calloc(4, sizeof *large);
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    large[i].value = x[i & 1] * (real)(i + 1);
    large[i].member.inner = x[0] * x[1];
  }
  assign_new(large, n);
  for (int i = 0; i < 4; i++)
    sum += large[i].value * large[i].value + large[i].member.inner * (real)i;
  free(large);
  return sum;
}

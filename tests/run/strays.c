// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* Records in a block of bytes, at an offset that the run computes: helpers clear, move and exchange
 * them, and see no more of them than a link or an integer. */
#include "cases.h"

typedef struct Record {
  struct Record *next;
  real value;
  long key;
} Record;

typedef struct {
  Record *live;
  char *base;
  size_t used;
} Pool;

static NOINLINE Record *fresh(Pool *pool) {
  Record *record = (Record *)(pool->base + pool->used);
  memset(record, 0, sizeof *record);
  record->next = pool->live;
  pool->live = record;
  return record;
}

SUM(cleared_by_a_pool, 3, 1.5, 2.25, 0.5) {
  Pool pool = {NULL, (char *)malloc(1024), 0};
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    pool.used = sizeof(Record) * (size_t)(i & 1);
    Record *record = fresh(&pool);
    record->value += x[i % n] * x[0];
    sum += record->value * (real)(i + 1);
  }
  free(pool.base);
  return sum;
}

static NOINLINE void clear(char *base, size_t at) {
  Record *record = (Record *)(base + at);
  memset(record, 0, sizeof *record);
  record->key = 3;
}

SUM(cleared_beside_an_integer, 3, 1.5, 2.25, 0.5) {
  char *base = (char *)calloc(1024, 1);
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    size_t at = sizeof(Record) * (size_t)(i / 2) * (x[0] > 1);
    clear(base, at);
    Record *record = (Record *)(base + at);
    record->value += x[i % n];
    sum += record->value * record->value * (real)record->key;
  }
  free(base);
  return sum;
}

/* --- What is copied. --- */

static NOINLINE void exchange(void *a, void *b, size_t bytes) {
  char *one = (char *)a, *other = (char *)b, room[64];
  memcpy(room, one, bytes);
  memcpy(one, other, bytes);
  memcpy(other, room, bytes);
}

static NOINLINE void order(char *base, size_t at) {
  Record *records = (Record *)(base + at);
  if (records[0].key < records[1].key)
    exchange(&records[0], &records[1], sizeof *records);
}

SUM(exchanged_by_their_keys, 2, 1.5, 2.25) {
  char *base = (char *)calloc(1024, 1);
  size_t at = x[0] > 10 ? 64 : 128;
  Record *records = (Record *)(base + at);
  for (int i = 0; i < n; i++) {
    records[i].value = x[i] * x[i];
    records[i].key = i;
  }
  order(base, at);
  real sum = records[0].value + 10 * records[1].value;
  free(base);
  return sum;
}

static NOINLINE void move(char *base, size_t from, size_t to) {
  Record *there = (Record *)(base + to), *here = (Record *)(base + from);
  *there = *here;
  there->key = 3;
}

SUM(copied_from_place_to_place, 3, 1.5, 2.25, 0.5) {
  char *base = (char *)calloc(1024, 1);
  real sum = 0;
  ((Record *)base)->value = x[0] * x[0];
  for (int i = 0; i < 3; i++) {
    size_t to = sizeof(Record) * (size_t)(i + 1) * (x[0] > 1);
    move(base, sizeof(Record) * (size_t)i, to);
    Record *record = (Record *)(base + to);
    record->value += x[i % n];
    sum += record->value * record->value + (real)record->key;
  }
  free(base);
  return sum;
}

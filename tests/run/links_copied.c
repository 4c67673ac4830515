// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* Structs and arrays of pointers that helpers copy and exchange as bytes, and never follow. */
#include "cases.h"

typedef struct {
  real *data;
  long size;
} Vector;

static NOINLINE void exchange(Vector *vectors) {
  Vector first = vectors[0];
  vectors[0] = vectors[1];
  vectors[1] = first;
}

SUM(exchanged_vectors, 2, 1.5, 2.25) {
  Vector vectors[2] = {{&x[0], 1}, {&x[1], 2}};
  exchange(vectors);
  return 10 * vectors[0].data[0] + vectors[1].data[0] * x[0] + (real)(vectors[0].size * n);
}

static NOINLINE void through_bytes(void *one, void *other, size_t bytes) {
  char room[64];
  memcpy(room, one, bytes);
  memcpy(one, other, bytes);
  memcpy(other, room, bytes);
}

static void order(Vector *vectors, int count) {
  for (int i = 0; i + 1 < count; i++)
    if (vectors[i].size < vectors[i + 1].size)
      through_bytes(&vectors[i], &vectors[i + 1], sizeof *vectors);
}

SUM(ordered_by_size, 3, 1.5, 2.25, 0.5) {
  Vector vectors[3];
  for (int i = 0; i < 3; i++) {
    vectors[i].data = &x[i];
    vectors[i].size = i;
  }
  order(vectors, n);
  real sum = 0;
  for (int i = 0; i < 3; i++)
    sum += *vectors[i].data * *vectors[i].data * (real)(i + 1);
  return sum;
}

static NOINLINE real *picked(real **pointers, int index) {
  real *own[2];
  memcpy(own, pointers, sizeof own);
  return own[index & 1];
}

SUM(picked_from_a_copy, 2, 1.5, 2.25) {
  real *pointers[2] = {&x[0], &x[1]};
  return *picked(pointers, n + 1) * 3 + *picked(pointers, n) * x[1];
}

/* --- Records with a number and a link, in a block of bytes. --- */

typedef struct Record {
  real value;
  struct Record *link;
} Record;

static NOINLINE void exchange_at(char *base, size_t at) {
  char *record = base + at, room[sizeof(Record)];
  memcpy(room, record, sizeof room);
  memcpy(record, record + sizeof room, sizeof room);
  memcpy(record + sizeof room, room, sizeof room);
}

SUM(exchanged_with_their_links, 3, 1.5, 2.25, 0.5) {
  char *base = (char *)calloc(1, 1024);
  size_t at = x[0] > 10 ? 64 : 128;
  Record *records = (Record *)(base + at);
  real sum = 0;
  for (int i = 0; i < 3; i++) {
    records[i].value += x[i] * (real)(i + 1);
    records[i].link = &records[i];
  }
  exchange_at(base, at);
  for (int i = 0; i < n; i++)
    sum += records[i].value * (real)(i + 1) + records[i].link->value * (real)((i + 1) * (i + 1));
  free(base);
  return sum;
}

/* --- Cleared two calls below the place. --- */

static NOINLINE void zero(void *memory, size_t bytes) { memset(memory, 0, bytes); }

static NOINLINE void clear(char *base, size_t at) { zero(base + at, sizeof(Record)); }

SUM(cleared_two_calls_below, 2, 1.5, 2.25) {
  char *base = (char *)calloc(1, 1024);
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    size_t at = sizeof(Record) * (size_t)(i & 1);
    clear(base, at);
    Record *record = (Record *)(base + at);
    record->value += x[i % n] * x[0];
    sum += record->value * record->value;
  }
  free(base);
  return sum;
}

static void reset(Record *record) {
  Record none = {0, NULL};
  *record = none;
}

SUM(set_to_zeros, 2, 1.5, 2.25) {
  char *base = (char *)calloc(1, 1024);
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    Record *record = (Record *)(base + sizeof(Record) * (size_t)(i & 1));
    reset(record);
    record->value += x[i % n] * x[0];
    sum += record->value * record->value;
  }
  free(base);
  return sum;
}

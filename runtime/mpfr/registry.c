// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "registry.h"

#include "longer.h"

#include <mpfr.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

enum { CHUNK = 1 << 16, ALIGNMENT = 16, FIRST_CHUNK = 4096 };

struct chunk {
  struct chunk *next;
  _Alignas(ALIGNMENT) char bytes[];
};

static _Atomic(struct chunk *) chunks;
static _Atomic unsigned long releases;

/* Where a thread takes memory; that of before the last release is none. */
static _Thread_local struct {
  char *at, *end;
  size_t size;
  unsigned long releases;
} room;

static void make_room(size_t size) {
  size_t next = room.size ? 2 * room.size : FIRST_CHUNK;
  room.size = next > CHUNK ? CHUNK : next;
  size_t bytes = size > room.size ? size : room.size;
  struct chunk *chunk = malloc(sizeof *chunk + bytes);
  if (!chunk) {
    fputs("nabla: out of memory for numbers of a longer format\n", stderr);
    abort();
  }
  chunk->next = atomic_load(&chunks);
  while (!atomic_compare_exchange_weak(&chunks, &chunk->next, chunk))
    continue;
  room.at = chunk->bytes;
  room.end = chunk->bytes + bytes;
}

void *__nabla_mpfr_take(size_t size) {
  unsigned long now = atomic_load(&releases);
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (room.releases != now)
    room.at = room.end = NULL;
  room.releases = now;
  if (!room.at || (size_t)(room.end - room.at) < size)
    make_room(size);
  void *memory = room.at;
  room.at += size;
  return memory;
}

/* What MPFR keeps for each thread is given back when that ends. */
static tss_t ends;
static once_flag known = ONCE_FLAG_INIT;

static void forget_constants(void *kept) {
  (void)kept;
  mpfr_free_cache();
}

static void learn(void) {
  if (tss_create(&ends, forget_constants) != thrd_success)
    abort();
}

void __nabla_mpfr_note_thread(void) {
  static _Thread_local bool noted;
  if (noted)
    return;
  call_once(&known, learn);
  noted = tss_set(ends, &noted) == thrd_success;
}

void __nabla_mpfr_release(void) {
  mpfr_free_cache();
  atomic_fetch_add(&releases, 1);
  struct chunk *chunk = atomic_exchange(&chunks, NULL);
  while (chunk) {
    struct chunk *next = chunk->next;
    free(chunk);
    chunk = next;
  }
}

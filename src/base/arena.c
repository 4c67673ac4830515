// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chunks double in size up to LARGEST, so that an arena costs a logarithmic number of calls. */
enum { SMALLEST = 4096, LARGEST = 1 << 20, ALIGNMENT = 16 };

typedef struct Chunk {
  struct Chunk *previous;
  size_t used, size;
  _Alignas(ALIGNMENT) char bytes[];
} Chunk;

struct NbArena {
  Chunk *chunk;
};

static _Noreturn void out_of_memory(void) {
  fputs("nabla: out of memory\n", stderr);
  exit(1);
}

NbArena *nb_arena_new(void) {
  NbArena *arena = calloc(1, sizeof *arena);
  if (!arena)
    out_of_memory();
  return arena;
}

void nb_arena_free(NbArena *arena) {
  if (!arena)
    return;
  for (Chunk *chunk = arena->chunk; chunk;) {
    Chunk *previous = chunk->previous;
    free(chunk);
    chunk = previous;
  }
  free(arena);
}

static void add_chunk(NbArena *arena, size_t bytes) {
  size_t size = arena->chunk ? arena->chunk->size * 2 : SMALLEST;
  if (size > LARGEST)
    size = LARGEST;
  if (size < bytes)
    size = bytes;
  Chunk *chunk = calloc(1, sizeof *chunk + size);
  if (!chunk)
    out_of_memory();
  chunk->previous = arena->chunk;
  chunk->size = size;
  arena->chunk = chunk;
}

void *nb_arena_alloc(NbArena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 2)
    out_of_memory();
  bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (!arena->chunk || arena->chunk->size - arena->chunk->used < bytes)
    add_chunk(arena, bytes);
  void *memory = arena->chunk->bytes + arena->chunk->used;
  arena->chunk->used += bytes;
  return memory;
}

void *nb_arena_grow(NbArena *arena, void *items, unsigned count, unsigned *capacity, size_t size) {
  if (count < *capacity)
    return items;
  *capacity = *capacity ? *capacity * 2 : 8;
  void *longer = nb_arena_alloc(arena, *capacity * size);
  if (count)
    memcpy(longer, items, count * size);
  return longer;
}

char *nb_arena_copy(NbArena *arena, const char *text, size_t length) {
  char *copy = nb_arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *nb_arena_print(NbArena *arena, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  int length = vsnprintf(NULL, 0, format, list);
  va_end(list);
  char *text = nb_arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

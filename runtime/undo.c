// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "undo.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 1 << 10 };

/* Behind the bytes that were there. */
struct note {
  void *memory;
  uint64_t bytes;
};

static void make_room(struct __nabla_undo *undo, uint64_t size) {
  uint64_t capacity = undo->capacity ? 2 * undo->capacity : SMALLEST;
  if (capacity < size)
    capacity = size;
  char *bytes = __nabla_memory_new(capacity, undo->function, NULL);
  if (undo->size)
    memcpy(bytes, undo->bytes, undo->size);
  free(undo->bytes);
  undo->bytes = bytes;
  undo->capacity = capacity;
}

void __nabla_undo_note(struct __nabla_undo *undo, void *memory, uint64_t bytes) {
  struct note note = {memory, bytes};
  uint64_t size = bytes <= __NABLA_LARGEST_SIZE ? undo->size + bytes + sizeof note : UINT64_MAX;
  if (!bytes)
    return;
  if (size > undo->capacity)
    make_room(undo, size);
  memcpy(undo->bytes + undo->size, memory, bytes);
  memcpy(undo->bytes + size - sizeof note, &note, sizeof note);
  undo->size = size;
}

void __nabla_undo_all(struct __nabla_undo *undo) {
  struct note note;
  while (undo->size) {
    memcpy(&note, undo->bytes + undo->size - sizeof note, sizeof note);
    undo->size -= note.bytes + sizeof note;
    memcpy(note.memory, undo->bytes + undo->size, note.bytes);
  }
  free(undo->bytes);
  undo->bytes = NULL;
  undo->capacity = 0;
}

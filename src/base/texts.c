// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/texts.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct Text {
  const char *start;
  size_t length;
  uint64_t hash;
} Text;

/* Open-addressed: `capacity` is a power of two, and at most half of it is taken. */
struct NbTexts {
  NbArena *arena;
  Text *slots;
  size_t count, capacity;
};

NbTexts *nb_texts_new(NbArena *arena) {
  NbTexts *texts = NB_NEW(arena, NbTexts);
  texts->arena = arena;
  return texts;
}

/* Fowler, Noll and Vo's. */
static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  return hash;
}

static Text *slot_of(const NbTexts *texts, const char *text, size_t length, uint64_t hash) {
  size_t mask = texts->capacity - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    Text *slot = &texts->slots[i];
    bool same = slot->start && slot->hash == hash && slot->length == length;
    if (!slot->start || (same && memcmp(slot->start, text, length) == 0))
      return slot;
  }
}

static void grow(NbTexts *texts) {
  const Text *old = texts->slots;
  size_t count = texts->capacity;
  texts->capacity = count ? count * 2 : 16;
  texts->slots = NB_NEW_ARRAY(texts->arena, Text, texts->capacity);
  for (size_t i = 0; i < count; i++)
    if (old[i].start)
      *slot_of(texts, old[i].start, old[i].length, old[i].hash) = old[i];
}

const char *nb_texts_add(NbTexts *texts, const char *text, size_t length) {
  if (2 * texts->count >= texts->capacity)
    grow(texts);
  uint64_t hash = hash_of(text, length);
  Text *slot = slot_of(texts, text, length, hash);
  if (!slot->start) {
    *slot = (Text){nb_arena_copy(texts->arena, text, length), length, hash};
    texts->count++;
  }
  return slot->start;
}

const char *nb_texts_find(const NbTexts *texts, const char *text, size_t length) {
  if (!texts->count)
    return NULL;
  return slot_of(texts, text, length, hash_of(text, length))->start;
}

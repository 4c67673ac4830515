// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "check_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { WORD_SIZE = 8, PIECE_SIZE = 4, FIRST_CAPACITY = 256 };

void *__nabla_check_grow(void *old, size_t count, size_t bytes) {
  void *memory = reallocarray(old, count, bytes);
  if (memory)
    return memory;
  fputs("nabla check: out of memory\n", stderr);
  abort();
}

/* --- Hash tables ------------------------------------------------------------------------------ */

/* Each slot begins with the address that it is of, a multiple of `part`; 0 where it is empty. */
struct table {
  char *slots;
  size_t capacity, slot_bytes, part;
};

static uintptr_t address_in(const struct table *table, size_t slot) {
  uintptr_t address;
  memcpy(&address, table->slots + slot * table->slot_bytes, sizeof address);
  return address;
}

/* The slot of the address, or the empty one where it would be. */
static size_t slot_of(const struct table *table, uintptr_t address) {
  size_t mask = table->capacity - 1;
  size_t slot = (size_t)((address / table->part) * 0x9e3779b97f4a7c15u >> 20) & mask;
  while (address_in(table, slot) && address_in(table, slot) != address)
    slot = (slot + 1) & mask;
  return slot;
}

/* The table with twice as many slots; the old ones are freed. */
static struct table rehash(struct table old) {
  struct table table = old;
  table.capacity = old.capacity ? 2 * old.capacity : FIRST_CAPACITY;
  table.slots = __nabla_check_grow(NULL, table.capacity, table.slot_bytes);
  memset(table.slots, 0, table.capacity * table.slot_bytes);
  for (size_t i = 0; i < old.capacity; i++) {
    uintptr_t address = address_in(&old, i);
    if (address)
      memcpy(table.slots + slot_of(&table, address) * table.slot_bytes,
             old.slots + i * old.slot_bytes, table.slot_bytes);
  }
  free(old.slots);
  return table;
}

/* --- Words ------------------------------------------------------------------------------------ */

static struct table table_of_words(const struct __nabla_check_words *words) {
  return (struct table){(char *)words->slots, words->capacity, sizeof *words->slots, WORD_SIZE};
}

/* There is a slot at all. */
static struct __nabla_check_word *find_word(const struct __nabla_check_words *words,
                                            uintptr_t address) {
  struct table table = table_of_words(words);
  return &words->slots[slot_of(&table, address)];
}

/* The bits of the bytes of the word at `address` that lie in [first, end). */
static unsigned char mask_of(uintptr_t address, uintptr_t first, uintptr_t end) {
  unsigned mask = 0;
  for (unsigned i = 0; i < WORD_SIZE; i++)
    mask |= (unsigned)(address + i >= first && address + i < end) << i;
  return (unsigned char)mask;
}

/* The slot of the word at `address`, which may be a new one. */
static struct __nabla_check_word *word_at(struct __nabla_check_words *words, uintptr_t address) {
  if (2 * (words->count + 1) > words->capacity) {
    struct table table = rehash(table_of_words(words));
    words->slots = (struct __nabla_check_word *)(void *)table.slots;
    words->capacity = table.capacity;
  }
  struct __nabla_check_word *word = find_word(words, address);
  words->count += word->address == 0;
  word->address = address;
  return word;
}

static void keep_bytes(struct __nabla_check_word *word, unsigned char mask) {
  for (unsigned i = 0; i < WORD_SIZE; i++) {
    if (mask >> i & 1)
      word->old[i] = ((const unsigned char *)word->address)[i];
  }
  word->mask |= mask;
}

void __nabla_check_words_keep(struct __nabla_check_words *words, const char *memory,
                              uint64_t bytes) {
  uintptr_t first = (uintptr_t)memory, end = first + bytes;
  for (uintptr_t at = first - first % WORD_SIZE; at < end; at += WORD_SIZE) {
    struct __nabla_check_word *word = word_at(words, at);
    keep_bytes(word, mask_of(at, first, end) & (unsigned char)~word->mask);
  }
}

void __nabla_check_words_keep_all(struct __nabla_check_words *words,
                                  const struct __nabla_check_words *others) {
  for (size_t i = 0; i < others->capacity; i++)
    if (others->slots[i].address)
      keep_bytes(word_at(words, others->slots[i].address), others->slots[i].mask);
}

void __nabla_check_words_renew(struct __nabla_check_words *words, const char *memory,
                               uint64_t bytes) {
  uintptr_t first = (uintptr_t)memory, end = first + bytes;
  for (uintptr_t at = first - first % WORD_SIZE; at < end; at += WORD_SIZE)
    keep_bytes(word_at(words, at), mask_of(at, first, end));
}

bool __nabla_check_words_same(const struct __nabla_check_words *words, const char *memory,
                              uint64_t bytes) {
  if (!__nabla_check_words_have(words, memory, bytes))
    return false;
  for (uint64_t i = 0; i < bytes; i++) {
    uintptr_t at = (uintptr_t)memory + i, address = at - at % WORD_SIZE;
    if (find_word(words, address)->old[at - address] != (unsigned char)memory[i])
      return false;
  }
  return true;
}

bool __nabla_check_words_have(const struct __nabla_check_words *words, const char *memory,
                              uint64_t bytes) {
  uintptr_t first = (uintptr_t)memory, end = first + bytes;
  if (!words->capacity)
    return false;
  for (uintptr_t at = first - first % WORD_SIZE; at < end; at += WORD_SIZE) {
    const struct __nabla_check_word *word = find_word(words, at);
    if (!word->address || mask_of(at, first, end) & ~word->mask)
      return false;
  }
  return true;
}

void __nabla_check_words_restore(const struct __nabla_check_words *words) {
  for (size_t i = 0; i < words->capacity; i++) {
    const struct __nabla_check_word *word = &words->slots[i];
    for (unsigned j = 0; word->address && j < WORD_SIZE; j++) {
      if (word->mask >> j & 1)
        ((unsigned char *)word->address)[j] = word->old[j];
    }
  }
}

/* --- Blocks ----------------------------------------------------------------------------------- */

/* The number of blocks that start at or before the address. */
static size_t blocks_before(const struct __nabla_check_blocks *blocks, const char *address) {
  size_t low = 0, high = blocks->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (blocks->items[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void __nabla_check_blocks_add(struct __nabla_check_blocks *blocks,
                              struct __nabla_check_block block) {
  if (blocks->count == blocks->capacity) {
    blocks->capacity = blocks->capacity ? 2 * blocks->capacity : FIRST_CAPACITY;
    blocks->items = __nabla_check_grow(blocks->items, blocks->capacity, sizeof *blocks->items);
  }
  size_t at = blocks_before(blocks, block.start);
  memmove(blocks->items + at + 1, blocks->items + at, (blocks->count - at) * sizeof *blocks->items);
  blocks->items[at] = block;
  blocks->count++;
}

struct __nabla_check_block *__nabla_check_blocks_find(const struct __nabla_check_blocks *blocks,
                                                      const char *address) {
  size_t before = blocks_before(blocks, address);
  if (!before)
    return NULL;
  struct __nabla_check_block *block = &blocks->items[before - 1];
  return address < block->start + block->bytes ? block : NULL;
}

void __nabla_check_blocks_remove(struct __nabla_check_blocks *blocks,
                                 struct __nabla_check_block *block) {
  size_t at = (size_t)(block - blocks->items);
  blocks->count--;
  memmove(block, block + 1, (blocks->count - at) * sizeof *block);
}

/* --- Copies ----------------------------------------------------------------------------------- */

static struct table table_of_copies(const struct __nabla_check_copies *copies) {
  return (struct table){(char *)copies->slots, copies->capacity, sizeof *copies->slots, PIECE_SIZE};
}

/* There is a slot at all. */
static struct __nabla_check_copy *find_copy(const struct __nabla_check_copies *copies,
                                            uintptr_t to) {
  struct table table = table_of_copies(copies);
  return &copies->slots[slot_of(&table, to)];
}

static struct __nabla_check_origin behind(struct __nabla_check_origin from, uintptr_t distance) {
  from.primal += distance;
  from.shadow += distance;
  return from;
}

struct __nabla_check_origin __nabla_check_copies_find(const struct __nabla_check_copies *copies,
                                                      const char *to) {
  const struct __nabla_check_origin none = {NULL, NULL, 0};
  uintptr_t within = (uintptr_t)to % PIECE_SIZE, start = (uintptr_t)to - within;
  if (!copies->capacity)
    return none;
  const struct __nabla_check_copy *copy = find_copy(copies, start);
  return copy->to && copy->from.primal ? behind(copy->from, within) : none;
}

static void keep_copy(struct __nabla_check_copies *copies, uintptr_t to,
                      struct __nabla_check_origin from) {
  struct __nabla_check_origin before = __nabla_check_copies_find(copies, from.shadow);
  if (2 * (copies->count + 1) > copies->capacity) {
    struct table table = rehash(table_of_copies(copies));
    copies->slots = (struct __nabla_check_copy *)(void *)table.slots;
    copies->capacity = table.capacity;
  }
  struct __nabla_check_copy *copy = find_copy(copies, to);
  copies->count += copy->to == 0;
  copy->to = to;
  copy->from = before.primal ? before : from;
  if (copy->from.shadow == (char *)to)
    copy->from.primal = NULL;
}

void __nabla_check_copies_keep(struct __nabla_check_copies *copies, char *to,
                               struct __nabla_check_origin from, uint64_t bytes) {
  uintptr_t start = (uintptr_t)to, skipped = (PIECE_SIZE - start % PIECE_SIZE) % PIECE_SIZE;
  uint64_t count = bytes < skipped ? 0 : (bytes - skipped) / PIECE_SIZE;
  bool down = start > (uintptr_t)from.shadow;
  for (uint64_t i = 0; i < count; i++) {
    uintptr_t distance = skipped + (down ? count - 1 - i : i) * PIECE_SIZE;
    keep_copy(copies, start + distance, behind(from, distance));
  }
}

void __nabla_check_copies_forget(struct __nabla_check_copies *copies, const char *to,
                                 uint64_t bytes) {
  uintptr_t start = (uintptr_t)to - (uintptr_t)to % PIECE_SIZE, end = (uintptr_t)to + bytes;
  for (uintptr_t at = start; copies->capacity && at < end; at += PIECE_SIZE)
    find_copy(copies, at)->from.primal = NULL;
}

/* --- Pages ------------------------------------------------------------------------------------ */

void __nabla_check_read_only(struct __nabla_check_blocks *blocks) {
  FILE *file = fopen("/proc/self/maps", "r");
  char line[512];
  while (file && fgets(line, sizeof line, file)) {
    char *end;
    uintptr_t first = strtoull(line, &end, 16);
    uintptr_t last = *end == '-' ? strtoull(end + 1, &end, 16) : first;
    if (strncmp(end, " r--", 4) == 0)
      __nabla_check_blocks_add(
          blocks, (struct __nabla_check_block){.start = (char *)first, .bytes = last - first});
  }
  if (file)
    fclose(file);
}

bool __nabla_check_protect(const struct __nabla_check_block *block, bool writable) {
  int kinds = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  return mprotect(block->start, block->bytes, kinds) == 0;
}

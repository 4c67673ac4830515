// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A heap that tells on its users: linked with --wrap, it counts live blocks, fills fresh and freed
 * memory with garbage (a quiet NaN as a float or double; for MemorySanitizer, nothing), and aborts
 * on a double free or on a write past the end. Blocks that others made go straight through. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GARBAGE = 0xFF };
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
static void spoil(void *block, size_t size) { __msan_allocated_memory(block, size); }
#else
static void spoil(void *block, size_t size) { memset(block, GARBAGE, size); }
#endif
static const uint64_t alive = 0x6e61626c61206c69u;
static const uint64_t dead = 0x6e61626c61206465u;
static const uint64_t fence = 0x6e61626c61206665u;

typedef struct {
  uint64_t size;
  uint64_t state;
} Header;

long nb_live_blocks;

extern void *__real_malloc(size_t size) __attribute__((weak));
extern void *__real_realloc(void *block, size_t size) __attribute__((weak));
extern void __real_free(void *block) __attribute__((weak));
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
size_t __wrap_malloc_usable_size(void *block);

static _Noreturn void give_up(const char *reason) {
  fprintf(stderr, "heap: %s\n", reason);
  abort();
}

void *__wrap_malloc(size_t size) {
  Header *header = __real_malloc(sizeof *header + size + sizeof fence);
  if (!header)
    return NULL;
  header->size = size;
  header->state = alive;
  spoil(header + 1, size);
  memcpy((char *)(header + 1) + size, &fence, sizeof fence);
  nb_live_blocks++;
  return header + 1;
}

void *__wrap_calloc(size_t count, size_t size) {
  void *block = __wrap_malloc(count * size);
  if (block)
    memset(block, 0, count * size);
  return block;
}

void __wrap_free(void *block) {
  if (!block)
    return;
  Header *header = (Header *)block - 1;
  if (header->state == dead)
    give_up("freed twice");
  if (header->state != alive) {
    __real_free(block);
    return;
  }
  if (memcmp((char *)block + header->size, &fence, sizeof fence) != 0)
    give_up("written past the end");
  header->state = dead;
  spoil(block, header->size);
  nb_live_blocks--;
  __real_free(header);
}

/* Only of blocks that were made here. */
size_t __wrap_malloc_usable_size(void *block) { return block ? ((Header *)block - 1)->size : 0; }

void *__wrap_realloc(void *block, size_t size) {
  Header *header = block ? (Header *)block - 1 : NULL;
  if (block && header->state != alive)
    return __real_realloc(block, size);
  void *moved = __wrap_malloc(size);
  if (block && moved)
    memcpy(moved, block, header->size < size ? header->size : size);
  if (moved)
    __wrap_free(block);
  return moved;
}

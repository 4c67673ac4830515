// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where functions call themselves, tapes are many and small: malloc has these at hand, while what
 * is aligned to more is cut out of the heap each time. */
enum { ARRAY_ALIGNMENT = 64, HEAP_ALIGNMENT = 16, SMALL_ARRAY = 1024 };

static const char *decimal(uint64_t value, char digits[static 21]) {
  char *first = digits + 20;
  *first = '\0';
  do {
    *--first = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  return first;
}

__attribute__((weak, visibility("default"))) void __nabla_out_of_memory(const char *function,
                                                                        uint64_t bytes) {
  char digits[21];
  fputs("nabla: out of memory: the derivative of '", stderr);
  fputs(function, stderr);
  fputs("' needs ", stderr);
  fputs(decimal(bytes, digits), stderr);
  fputs(" more bytes\n", stderr);
  abort();
}

__attribute__((noinline, cold)) static _Noreturn void fail(const char *function, uint64_t bytes) {
  __nabla_out_of_memory(function, bytes);
  abort();
}

/* Takes the bytes from what is left for the tapes of this run. */
static inline void claim(uint64_t bytes, const char *function, uint64_t *budget) {
  if (bytes >= __NABLA_LARGEST_SIZE)
    fail(function, UINT64_MAX);
  if (!budget)
    return;
  if (bytes > *budget)
    fail(function, bytes);
  *budget -= bytes;
}

void *__nabla_memory_new(uint64_t bytes, const char *function, uint64_t *budget) {
  claim(bytes, function, budget);
  void *memory = malloc(bytes);
  if (!memory)
    fail(function, bytes);
  return memory;
}

static void *new_array(uint64_t size) {
  return size <= SMALL_ARRAY ? malloc(size) : aligned_alloc(ARRAY_ALIGNMENT, size);
}

__attribute__((__malloc__, __assume_aligned__(HEAP_ALIGNMENT))) void *
__nabla_tape_allocate(uint64_t count, uint64_t bytes, const char *function, uint64_t *budget) {
  if (count == 0 || bytes == 0)
    return NULL;
  uint64_t size;
  if (__builtin_mul_overflow(count, bytes, &size) || size >= __NABLA_LARGEST_SIZE)
    fail(function, UINT64_MAX);
  uint64_t unit = size <= SMALL_ARRAY ? HEAP_ALIGNMENT : ARRAY_ALIGNMENT;
  size = (size + unit - 1) & -unit;
  claim(size, function, budget);
  void *memory = new_array(size);
  if (!memory)
    fail(function, size);
  return memory;
}

void *__nabla_stack_array(uint64_t count, uint64_t bytes, uint64_t alignment, const char *function,
                          uint64_t *budget) {
  uint64_t size;
  if (__builtin_mul_overflow(count, bytes, &size) || size >= __NABLA_LARGEST_SIZE - alignment)
    fail(function, UINT64_MAX);
  size = size ? (size + alignment - 1) & -alignment : alignment;
  claim(size, function, budget);
  void *memory = alignment > HEAP_ALIGNMENT ? aligned_alloc(alignment, size) : malloc(size);
  if (!memory)
    fail(function, size);
  return memory;
}

void *__nabla_stack_shadow(uint64_t count, uint64_t bytes, uint64_t alignment, const char *function,
                           uint64_t *budget) {
  void *shadow = __nabla_stack_array(count, bytes, alignment, function, budget);
  memset(shadow, 0, count * bytes);
  return shadow;
}

void __nabla_tape_release(void *memory) { free(memory); }

__attribute__((noinline, cold)) static _Noreturn void refuse_room(uint64_t given, uint64_t needed) {
  char digits[21];
  fputs("nabla: the memory for a tape has ", stderr);
  fputs(decimal(given, digits), stderr);
  fputs(" bytes, but the tape needs ", stderr);
  fputs(decimal(needed, digits), stderr);
  fputs("\n", stderr);
  abort();
}

void __nabla_tape_check_room(uint64_t given, uint64_t needed) {
  if (__builtin_expect(given < needed, 0))
    refuse_room(given, needed);
}

uint64_t __nabla_tape_count(uint64_t outer, uint64_t inner) {
  uint64_t product;
  return __builtin_mul_overflow(outer, inner, &product) ? UINT64_MAX : product;
}

void __nabla_shadow_check(const void *shadow, const void *primal, uint64_t bytes,
                          const char *function) {
  if (!shadow && primal && bytes)
    fail(function, bytes);
}

void __nabla_shadow_clear(void *shadow, const void *primal, uint64_t bytes, const char *function) {
  __nabla_shadow_check(shadow, primal, bytes, function);
  if (shadow)
    memset(shadow, 0, bytes);
}

void __nabla_shadow_resized(void *shadow, const void *primal, uint64_t old, uint64_t bytes,
                            const char *function) {
  __nabla_shadow_check(shadow, primal, bytes, function);
  if (primal && old < bytes)
    memset((char *)shadow + old, 0, bytes - old);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "heap.h"

#include <malloc.h>
#include <stddef.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __wrap_free(void *memory);

static long held, most;

static void *taken(void *memory) {
  held += (long)malloc_usable_size(memory);
  if (held > most)
    most = held;
  return memory;
}

static void given_back(void *memory) { held -= (long)malloc_usable_size(memory); }

void *__wrap_malloc(size_t bytes) { return taken(__real_malloc(bytes)); }

void *__wrap_calloc(size_t count, size_t bytes) { return taken(__real_calloc(count, bytes)); }

void *__wrap_realloc(void *memory, size_t bytes) {
  given_back(memory);
  return taken(__real_realloc(memory, bytes));
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return taken(__real_aligned_alloc(alignment, bytes));
}

void __wrap_free(void *memory) {
  given_back(memory);
  __real_free(memory);
}

void heap_start(void) { held = most = 0; }

long heap_peak(void) { return most; }

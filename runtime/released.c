// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A hash table with open addressing, at most half full; what is taken leaves a mark. */
#include "released.h"

#include "memory.h"

#include <stdlib.h>

struct __nabla_released {
  uint64_t size, used, held; /* `used` counts marks, too */
  void *slots[];
};

enum { FIRST_SIZE = 16 };

static void *const TAKEN = (void *)1;

static uint64_t slot_of(const __nabla_released *set, const void *shadow) {
  uint64_t hash = (uint64_t)(uintptr_t)shadow * UINT64_C(0x9e3779b97f4a7c15);
  return (hash >> 32) & (set->size - 1);
}

static void put(__nabla_released *set, void *shadow) {
  uint64_t at = slot_of(set, shadow);
  while (set->slots[at])
    at = (at + 1) & (set->size - 1);
  set->slots[at] = shadow;
  set->used++;
  set->held++;
}

/* A table without the marks, of twice the size where that is not enough. */
static __nabla_released *grown(__nabla_released *set, const char *function) {
  uint64_t size = set ? set->size : FIRST_SIZE;
  if (set && 4 * set->held >= size)
    size *= 2;
  uint64_t bytes = sizeof *set + size * sizeof(void *);
  __nabla_released *more = __nabla_memory_new(bytes, function, NULL);
  more->size = size;
  more->used = more->held = 0;
  for (uint64_t i = 0; i < size; i++)
    more->slots[i] = NULL;
  for (uint64_t i = 0; set && i < set->size; i++)
    if (set->slots[i] && set->slots[i] != TAKEN)
      put(more, set->slots[i]);
  free(set);
  return more;
}

void __nabla_released_add(__nabla_released **set, void *shadow, const char *function) {
  if (!shadow)
    return;
  if (!*set || 2 * (*set)->used >= (*set)->size)
    *set = grown(*set, function);
  put(*set, shadow);
}

void *__nabla_released_take(__nabla_released **set, void *shadow) {
  if (!*set)
    return NULL;
  uint64_t at = slot_of(*set, shadow);
  while ((*set)->slots[at] && (*set)->slots[at] != shadow)
    at = (at + 1) & ((*set)->size - 1);
  if (!(*set)->slots[at])
    return NULL;
  (*set)->slots[at] = TAKEN;
  (*set)->held--;
  return shadow;
}

void __nabla_released_end(__nabla_released **set) {
  free(*set);
  *set = NULL;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash maps from pointers, and growing lists of pointers, both in an arena. */
#ifndef NABLA_BASE_MAP_H
#define NABLA_BASE_MAP_H

#include "base/arena.h"

typedef struct NbMap NbMap;

/* An empty map in `arena`. Keys are compared by address; iteration is in order of insertion,
 * so that no result depends on where memory lies. */
NbMap *nb_map_new(NbArena *arena);
/* Sets (or replaces) the value of `key`, which is not NULL. */
void nb_map_set(NbMap *map, const void *key, void *value);
/* The value of `key`, NULL where it has none. */
void *nb_map_get(const NbMap *map, const void *key);
bool nb_map_has(const NbMap *map, const void *key);
/* Number of keys ever set, and the i-th of them in order of insertion. */
unsigned nb_map_count(const NbMap *map);
const void *nb_map_key(const NbMap *map, unsigned index);

/* A list that grows; items stand in `items[0..count)`. Zero-initialise, then set `arena`. */
typedef struct NbList {
  NbArena *arena;
  void **items;
  unsigned count, capacity;
} NbList;

static inline NbList nb_list(NbArena *arena) { return (NbList){.arena = arena}; }
void nb_list_push(NbList *list, void *item);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/map.h"

#include <string.h>

typedef struct Entry {
  const void *key;
  void *value;
} Entry;

/* Entries stand in order of insertion; `slots` is an open-addressed index into them, plus one. */
struct NbMap {
  NbArena *arena;
  Entry *entries;
  unsigned *slots;
  unsigned count, capacity, slot_count;
};

NbMap *nb_map_new(NbArena *arena) {
  NbMap *map = NB_NEW(arena, NbMap);
  map->arena = arena;
  return map;
}

static unsigned slot_of(const NbMap *map, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
  unsigned slot = (unsigned)(hash >> 32) & (map->slot_count - 1);
  while (map->slots[slot] && map->entries[map->slots[slot] - 1].key != key)
    slot = (slot + 1) & (map->slot_count - 1);
  return slot;
}

static void grow(NbMap *map) {
  unsigned capacity = map->capacity ? map->capacity * 2 : 8;
  Entry *entries = NB_NEW_ARRAY(map->arena, Entry, capacity);
  if (map->count)
    memcpy(entries, map->entries, map->count * sizeof *entries);
  map->entries = entries;
  map->capacity = capacity;
  map->slot_count = capacity * 2;
  map->slots = NB_NEW_ARRAY(map->arena, unsigned, map->slot_count);
  for (unsigned i = 0; i < map->count; i++)
    map->slots[slot_of(map, entries[i].key)] = i + 1;
}

void nb_map_set(NbMap *map, const void *key, void *value) {
  if (map->count == map->capacity)
    grow(map);
  unsigned slot = slot_of(map, key);
  if (!map->slots[slot]) {
    map->entries[map->count] = (Entry){key, NULL};
    map->slots[slot] = ++map->count;
  }
  map->entries[map->slots[slot] - 1].value = value;
}

static const Entry *find(const NbMap *map, const void *key) {
  if (!map->count)
    return NULL;
  unsigned slot = slot_of(map, key);
  return map->slots[slot] ? &map->entries[map->slots[slot] - 1] : NULL;
}

void *nb_map_get(const NbMap *map, const void *key) {
  const Entry *entry = find(map, key);
  return entry ? entry->value : NULL;
}

bool nb_map_has(const NbMap *map, const void *key) { return find(map, key) != NULL; }

unsigned nb_map_count(const NbMap *map) { return map->count; }

const void *nb_map_key(const NbMap *map, unsigned index) { return map->entries[index].key; }

void nb_list_push(NbList *list, void *item) {
  list->items = nb_arena_grow(list->arena, list->items, list->count, &list->capacity, sizeof item);
  list->items[list->count++] = item;
}

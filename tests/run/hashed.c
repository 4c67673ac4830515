// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Hash tables: links to records lie in arrays and in records, and are walked by their addresses, so
 * that arrays and records are one memory to those who cannot tell. */
#include "cases.h"

typedef struct Node {
  struct Node *next;
  unsigned key;
  real value;
} Node;

typedef struct {
  Node **buckets;
  unsigned size, used;
} Table;

static unsigned hash(unsigned key) {
  key ^= key >> 16;
  key *= 0x45d9f3bu;
  return key ^ key >> 16;
}

static Table *make(unsigned size) {
  Table *table = (Table *)malloc(sizeof *table);
  table->buckets = (Node **)calloc(size, sizeof *table->buckets);
  table->size = size;
  table->used = 0;
  return table;
}

static void grow(Table *table) {
  unsigned size = 2 * table->size;
  Node **buckets = (Node **)calloc(size, sizeof *buckets);
  for (unsigned i = 0; i < table->size; i++) {
    for (Node *node = table->buckets[i], *next; node; node = next) {
      unsigned at = hash(node->key) % size;
      next = node->next;
      node->next = buckets[at];
      buckets[at] = node;
    }
  }
  free(table->buckets);
  table->buckets = buckets;
  table->size = size;
}

static real *find(Table *table, unsigned key) {
  unsigned at = hash(key) % table->size;
  for (Node *node = table->buckets[at]; node; node = node->next)
    if (node->key == key)
      return &node->value;
  if (table->used + 1 > table->size) {
    grow(table);
    at = hash(key) % table->size;
  }
  Node *node = (Node *)malloc(sizeof *node);
  node->key = key;
  node->value = 0;
  node->next = table->buckets[at];
  table->buckets[at] = node;
  table->used++;
  return &node->value;
}

static unsigned remove_from(Node **link, unsigned key) {
  while (*link && (*link)->key != key)
    link = &(*link)->next;
  if (!*link)
    return 0;
  Node *node = *link;
  *link = node->next;
  free(node);
  return 1;
}

static void erase(Table *table, unsigned key) {
  table->used -= remove_from(&table->buckets[hash(key) % table->size], key);
}

static real weigh_and_free(Table *table) {
  real sum = 0;
  for (unsigned i = 0; i < table->size; i++) {
    for (Node *node = table->buckets[i], *next; node; node = next) {
      next = node->next;
      sum += node->value * node->value * (real)(node->key + 1);
      free(node);
    }
  }
  free(table->buckets);
  free(table);
  return sum;
}

SUM(grown_and_erased, 6, 0.5, 1.5, 0.75, 1.25, 2.25, 0.25) {
  Table *table = make(2);
  for (int turn = 0; turn < 3; turn++) {
    for (int i = 0; i < n; i++) {
      real *value = find(table, (unsigned)(i * 7 + turn % 2));
      *value = *value * x[(i + turn) % n] + sin(x[i]);
    }
  }
  erase(table, 7);
  erase(table, 15);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += *find(table, (unsigned)(i * 7)) * x[i];
  return sum + weigh_and_free(table);
}

/* --- Records that only a callee makes. --- */

static NOINLINE real *put(Node **first, unsigned key, real value) {
  Node *node = (Node *)malloc(sizeof *node);
  node->key = key;
  node->value = value;
  node->next = *first;
  *first = node;
  return &node->value;
}

static NOINLINE void drop(Node **link, unsigned key) { remove_from(link, key); }

SUM(made_by_a_callee, 4, 0.5, 1.5, 0.75, 1.25) {
  Node **first = (Node **)calloc(1, sizeof *first);
  for (int i = 0; i < n; i++) {
    real *value = put(first, (unsigned)i, x[i] * x[0]);
    *value += x[i] * x[n - 1];
  }
  drop(first, 1);
  real sum = 0;
  for (Node *node = *first, *next; node; node = next) {
    next = node->next;
    sum += node->value * (real)(node->key + 1);
    free(node);
  }
  free(first);
  return sum;
}

static NOINLINE real total(Node **first) {
  real sum = 0;
  for (Node *node = *first; node; node = node->next)
    sum += node->value * (real)(node->key + 1);
  return sum;
}

static NOINLINE void clear(Node **first) {
  while (*first) {
    Node *node = *first;
    *first = node->next;
    free(node);
  }
}

SUM(seen_by_callees_alone, 4, 0.5, 1.5, 0.75, 1.25) {
  Node **first = (Node **)calloc(1, sizeof *first);
  for (int i = 0; i < n; i++)
    put(first, (unsigned)i, x[i] * x[0]);
  drop(first, 1);
  real sum = total(first);
  clear(first);
  free(first);
  return sum;
}

/* The table counts its entries behind the links, in a register while a loop runs: no type says then
 * that what is read and written again is a count. */
typedef struct Entry {
  char name[8];
  real value;
  struct Entry *next;
} Entry;

typedef struct {
  Entry *links[7];
  int count;
} Counted;

static unsigned hash_of(const char *name) {
  unsigned hash = 5381;
  while (*name)
    hash = hash * 33 ^ (unsigned char)*name++;
  return hash % 7;
}

static Entry *entry_of(Counted *table, const char *name) {
  Entry **link = &table->links[hash_of(name)];
  for (; *link; link = &(*link)->next)
    if (!strcmp((*link)->name, name))
      return *link;
  Entry *entry = (Entry *)calloc(1, sizeof *entry);
  strncpy(entry->name, name, 7);
  *link = entry;
  table->count++;
  return entry;
}

SUM(counted_behind_the_links, 5, 0.5, 1.5, 0.75, 1.25, -0.5) {
  Counted table = {{NULL}, 0};
  char name[2] = "a";
  for (int i = 0; i < n; i++) {
    name[0] = "abcde"[i];
    entry_of(&table, name)->value = x[i];
  }
  real sum = 0;
  for (int i = 0; i < n; i++) {
    name[0] = "abcde"[i * 3 % n];
    sum += entry_of(&table, name)->value * entry_of(&table, name)->value * (real)(i + 1);
  }
  for (int i = 0; i < 7; i++)
    while (table.links[i]) {
      Entry *entry = table.links[i];
      table.links[i] = entry->next;
      free(entry);
    }
  return sum;
}

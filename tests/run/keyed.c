// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tables with texts for keys, which grow: functions that call each other free one and make a larger
 * one. */
// split: none
#include "cases.h"

typedef struct {
  char key[12];
  int used;
  real value;
} Entry;

typedef struct {
  Entry *entries;
  unsigned room, count;
} Table;

static unsigned hash_of(const char *key) {
  unsigned hash = 2166136261U;
  for (; *key; key++)
    hash = (hash ^ (unsigned char)*key) * 16777619U;
  return hash;
}

static real *entry(Table *table, const char *key);

static void grow(Table *table) {
  Table old = *table;
  table->room = old.room ? old.room * 2 : 2;
  table->entries = (Entry *)calloc(table->room, sizeof(Entry));
  table->count = 0;
  for (unsigned i = 0; i < old.room; i++)
    if (old.entries[i].used)
      *entry(table, old.entries[i].key) = old.entries[i].value;
  free(old.entries);
}

static real *entry(Table *table, const char *key) {
  if (table->count * 2 >= table->room)
    grow(table);
  unsigned i = hash_of(key) & (table->room - 1);
  while (table->entries[i].used && strcmp(table->entries[i].key, key))
    i = (i + 1) & (table->room - 1);
  if (!table->entries[i].used) {
    table->entries[i].used = 1;
    strcpy(table->entries[i].key, key);
    table->count++;
  }
  return &table->entries[i].value;
}

MAP(table_with_keys, 3, 1, 0.3, 0.5, 0.7) {
  static const char *const names[] = {"alpha", "beta", "gamma", "delta"};
  Table table = {NULL, 0, 0};
  for (int i = 0; i < n; i++)
    *entry(&table, names[i]) += x[i] * x[i];
  for (int i = 0; i < 6; i++) {
    real value = *entry(&table, names[i % 4]);
    *entry(&table, names[(i + 1) % 3]) += (real)0.5 * sin(value);
  }
  y[0] = *entry(&table, "beta") / (1 + *entry(&table, "gamma"));
  for (unsigned i = 0; i < table.room; i++)
    if (table.entries[i].used)
      y[0] += table.entries[i].value * (real)0.25;
  free(table.entries);
}

/* The same, at -O0, of texts in a variable that nobody writes. */
MAP(table_with_keys_of_a_variable, 2, 1, 0.3, 0.5) {
  static const char *names[] = {"alpha", "beta"};
  Table table = {NULL, 0, 0};
  for (int i = 0; i < n; i++)
    *entry(&table, names[i]) += x[i] * x[i];
  y[0] = *entry(&table, "beta") * *entry(&table, "alpha");
  free(table.entries);
}

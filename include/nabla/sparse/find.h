/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The pattern of a function's derivative, by runs with a bit for each input.
 *
 * There are more inputs than bits. So groups of neighbouring inputs have a bit together, and each
 * group that a row needs is divided until it is one input. Groups that share no row share their
 * bits, since a row tells which of them is meant: a few runs are enough for any number of inputs
 * (J. Andersson, J. Gillis, G. Horn, J. B. Rawlings and M. Diehl, "CasADi: a software framework for
 * nonlinear optimization and optimal control", 2019, which finds patterns in this way). */
#ifndef NABLA_SPARSE_FIND_H
#define NABLA_SPARSE_FIND_H

#include <stdint.h>

#include "nabla/sparse/colour.h"

/* A run: masks of the inputs to masks of the outputs. */
typedef struct NablaRun {
  void (*masks)(const double *x, const double *mx, double *y, double *my, void *data);
  const double *x;
  void *data;
  double *mx, *y, *my; /* memory for it */
} NablaRun;

/* A level: which groups the rows need. */
typedef struct NablaLevel {
  NablaPattern groups;
  int *begin; /* of each group, the first input; and behind the last one */
} NablaLevel;

/* The groups that each are divided into. Part j of group g is group first[g] + j of the next level,
 * and has bit colour[g] * parts + j. */
typedef struct NablaDivision {
  const NablaLevel *level;
  NablaLevel next;
  int *first, *colour;
  int parts, colours;
  int bits;           /* in each run */
  int *pairs;         /* row and group, for all that was found */
  size_t count, room; /* in pairs */
} NablaDivision;

enum { NABLA_MOST_BITS = 63, NABLA_FEWEST_BITS = 15, NABLA_MANY = 2 };

typedef enum NablaFound { NABLA_FOUND, NABLA_FULL, NABLA_FAILED } NablaFound;

static inline void nabla_level_free(NablaLevel *level) {
  nabla_pattern_free(&level->groups);
  free(level->begin);
  level->begin = NULL;
}

static inline void nabla_division_free(NablaDivision *division) {
  free(division->first);
  free(division->colour);
  free(division->pairs);
}

static inline bool nabla_division_push(NablaDivision *division, int row, int group) {
  if (division->count == division->room) {
    size_t room = 2 * division->room + 64;
    int *pairs = (int *)realloc(division->pairs, 2 * room * sizeof *pairs);
    if (!pairs)
      return false;
    division->pairs = pairs;
    division->room = room;
  }
  division->pairs[2 * division->count] = row;
  division->pairs[2 * division->count + 1] = group;
  division->count++;
  return true;
}

/* The bits of run `run` that are those of parts of the group, as part numbers from `*from`. */
static inline int nabla_division_parts(const NablaDivision *division, int group, int run,
                                       int *from) {
  int low = division->colour[group] * division->parts - run * division->bits;
  int high = low + division->first[group + 1] - division->first[group];
  *from = low < 0 ? -low : 0;
  return (high < division->bits ? high : division->bits) - low;
}

static inline uint64_t nabla_division_bit(const NablaDivision *division, int group, int run,
                                          int part) {
  return UINT64_C(1) << (division->colour[group] * division->parts + part - run * division->bits);
}

static inline void nabla_division_seed(const NablaDivision *division, int run, double *mx) {
  const NablaLevel *level = division->level;
  memset(mx, 0, (size_t)level->begin[level->groups.columns] * sizeof *mx);
  for (int group = 0; group < level->groups.columns; group++) {
    int part, end = nabla_division_parts(division, group, run, &part);
    for (; part < end; part++) {
      uint64_t bit = nabla_division_bit(division, group, run, part);
      int next = division->first[group] + part;
      for (int i = division->next.begin[next]; i < division->next.begin[next + 1]; i++)
        memcpy(mx + i, &bit, sizeof bit);
    }
  }
}

/* Notes which parts of its groups a row needs. A full mask may be one that did not fit, and needs
 * all; other bits are those of groups that the row did not need before. */
static inline NablaFound nabla_division_read(NablaDivision *division, int run, int row,
                                             uint64_t mask) {
  const NablaPattern *groups = &division->level->groups;
  bool full = mask >> NABLA_MOST_BITS;
  if (full && division->bits > NABLA_FEWEST_BITS)
    return NABLA_FULL;
  for (int entry = groups->start[row]; entry < groups->start[row + 1]; entry++) {
    int group = groups->column[entry];
    int part, end = nabla_division_parts(division, group, run, &part);
    for (; part < end; part++) {
      uint64_t bit = nabla_division_bit(division, group, run, part);
      if ((mask & bit) && !nabla_division_push(division, row, division->first[group] + part))
        return NABLA_FAILED;
      mask &= ~bit;
    }
  }
  if (!mask || full)
    return NABLA_FOUND;
  errno = EDOM;
  return NABLA_FAILED;
}

static inline NablaFound nabla_division_run(NablaDivision *division, const NablaRun *run,
                                            int index) {
  int rows = division->level->groups.rows;
  nabla_division_seed(division, index, run->mx);
  memset(run->y, 0, (size_t)rows * sizeof *run->y);
  memset(run->my, 0, (size_t)rows * sizeof *run->my);
  run->masks(run->x, run->mx, run->y, run->my, run->data);
  NablaFound found = NABLA_FOUND;
  for (int row = 0; found == NABLA_FOUND && row < rows; row++) {
    uint64_t mask;
    memcpy(&mask, run->my + row, sizeof mask);
    if (mask)
      found = nabla_division_read(division, index, row, mask);
  }
  return found;
}

static inline int nabla_compare_ints(const void *a, const void *b) {
  int first = *(const int *)a, second = *(const int *)b;
  return (first > second) - (first < second);
}

/* Makes rows of the pairs that were found. */
static inline bool nabla_division_sort(NablaDivision *division) {
  NablaPattern *groups = &division->next.groups;
  groups->start = nabla_sparse_ints((size_t)groups->rows);
  if (!groups->start)
    return false;
  for (size_t i = 0; i < division->count; i++)
    groups->start[division->pairs[2 * i] + 1]++;
  if (!nabla_pattern_sum(groups))
    return false;
  for (size_t i = 0; i < division->count; i++)
    groups->column[groups->start[division->pairs[2 * i]]++] = division->pairs[2 * i + 1];
  nabla_pattern_rewind(groups);
  for (int row = 0; row < groups->rows; row++)
    qsort(groups->column + groups->start[row],
          (size_t)(groups->start[row + 1] - groups->start[row]), sizeof *groups->column,
          nabla_compare_ints);
  return true;
}

/* Colours the groups and divides each into as many parts as there are bits for, at least two. */
static inline bool nabla_division_start(NablaDivision *division, const NablaLevel *level,
                                        int bits) {
  int count = level->groups.columns;
  NablaPattern columns;
  memset(division, 0, sizeof *division);
  division->level = level;
  division->bits = bits;
  division->colour = nabla_sparse_ints((size_t)count);
  division->first = nabla_sparse_ints((size_t)count);
  bool ok = division->colour && division->first;
  ok = nabla_pattern_transpose(&level->groups, &columns) && ok;
  division->colours = ok ? nabla_colour_columns(&columns, division->colour) : -1;
  nabla_pattern_free(&columns);
  if (division->colours < 0)
    return false;
  int room = bits / (division->colours ? division->colours : 1);
  division->parts = room < NABLA_MANY ? NABLA_MANY : room;
  for (int group = 0; group < count; group++) {
    int size = level->begin[group + 1] - level->begin[group];
    int parts = size < division->parts ? size : division->parts;
    division->first[group + 1] = division->first[group] + parts;
  }
  return true;
}

static inline bool nabla_division_groups(NablaDivision *division) {
  const NablaLevel *level = division->level;
  int count = level->groups.columns, total = division->first[count];
  int *begin = nabla_sparse_ints((size_t)total);
  division->next.groups = nabla_pattern_empty(level->groups.rows, total);
  division->next.begin = begin;
  if (!begin)
    return false;
  for (int group = 0; group < count; group++) {
    int parts = division->first[group + 1] - division->first[group];
    int64_t size = level->begin[group + 1] - level->begin[group];
    for (int part = 0; part < parts; part++)
      begin[division->first[group] + part] = level->begin[group] + (int)(size * part / parts);
  }
  begin[total] = level->begin[count];
  return true;
}

/* Replaces the level by one with smaller groups. */
static inline NablaFound nabla_level_divide(NablaLevel *level, const NablaRun *run, int bits) {
  NablaDivision division;
  NablaFound found = NABLA_FAILED;
  if (nabla_division_start(&division, level, bits) && nabla_division_groups(&division))
    found = NABLA_FOUND;
  int64_t all = (int64_t)division.colours * division.parts;
  for (int index = 0; found == NABLA_FOUND && (int64_t)index * bits < all; index++)
    found = nabla_division_run(&division, run, index);
  if (found == NABLA_FOUND && !nabla_division_sort(&division))
    found = NABLA_FAILED;
  NablaLevel *old = found == NABLA_FOUND ? level : &division.next;
  NablaLevel next = division.next;
  nabla_level_free(old);
  if (old == level)
    *level = next;
  nabla_division_free(&division);
  return found;
}

/* One group of all inputs, which all rows may need. */
static inline bool nabla_level_start(NablaLevel *level, int rows, int columns) {
  level->groups = nabla_pattern_empty(rows, columns ? 1 : 0);
  level->begin = nabla_sparse_ints(1);
  level->groups.start = nabla_sparse_ints((size_t)rows);
  level->groups.column = nabla_sparse_ints((size_t)rows);
  if (!level->begin || !level->groups.start || !level->groups.column)
    return false;
  level->begin[1] = columns;
  for (int row = 0; columns && row < rows; row++)
    level->groups.start[row + 1] = row + 1;
  return true;
}

/* With masks of so many bits. */
static inline NablaFound nabla_find_with(const NablaRun *run, int rows, int columns, int bits,
                                         NablaPattern *pattern) {
  NablaLevel level;
  NablaFound found = nabla_level_start(&level, rows, columns) ? NABLA_FOUND : NABLA_FAILED;
  while (found == NABLA_FOUND && level.groups.columns < columns)
    found = nabla_level_divide(&level, run, bits);
  if (found == NABLA_FOUND && columns == 1)
    found = nabla_level_divide(&level, run, bits);
  if (found != NABLA_FOUND) {
    nabla_level_free(&level);
    return found;
  }
  free(level.begin);
  *pattern = level.groups;
  return found;
}

/* The pattern at run->x. Where masks do not fit into a narrower format that the function computes
 * in, they are taken shorter. */
static inline bool nabla_find(const NablaRun *run, int rows, int columns, NablaPattern *pattern) {
  NablaFound found = NABLA_FULL;
  for (int bits = NABLA_MOST_BITS; found == NABLA_FULL && bits >= NABLA_FEWEST_BITS; bits /= 2)
    found = nabla_find_with(run, rows, columns, bits, pattern);
  return found == NABLA_FOUND;
}

#endif

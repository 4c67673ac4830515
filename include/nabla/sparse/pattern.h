/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Patterns in compressed rows: where entries may differ from zero. Functions that return bool are
 * false where memory or int does not suffice, with errno set. */
#ifndef NABLA_SPARSE_PATTERN_H
#define NABLA_SPARSE_PATTERN_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct NablaPattern {
  int rows, columns;
  int *start;  /* rows + 1 */
  int *column; /* ascending in each row */
} NablaPattern;

static inline int nabla_pattern_count(const NablaPattern *pattern) {
  return pattern->start[pattern->rows];
}

static inline NablaPattern nabla_pattern_empty(int rows, int columns) {
  NablaPattern pattern = {rows, columns, NULL, NULL};
  return pattern;
}

static inline void nabla_pattern_free(NablaPattern *pattern) {
  free(pattern->start);
  free(pattern->column);
  pattern->start = pattern->column = NULL;
}

/* Zeros; room for one is always there. */
static inline int *nabla_sparse_ints(size_t count) { return (int *)calloc(count + 1, sizeof(int)); }

static inline double *nabla_sparse_doubles(size_t count) {
  return (double *)calloc(count + 1, sizeof(double));
}

/* Turns counts in start[1] to start[rows] into starts. */
static inline bool nabla_pattern_sum(NablaPattern *pattern) {
  for (int row = 0; row < pattern->rows; row++) {
    if (pattern->start[row + 1] > INT_MAX - pattern->start[row]) {
      errno = EOVERFLOW;
      return false;
    }
    pattern->start[row + 1] += pattern->start[row];
  }
  pattern->column = nabla_sparse_ints((size_t)nabla_pattern_count(pattern));
  return pattern->column != NULL;
}

/* While rows are filled, start[row] is where the next entry goes; this makes starts of them. */
static inline void nabla_pattern_rewind(NablaPattern *pattern) {
  for (int row = pattern->rows; row > 0; row--)
    pattern->start[row] = pattern->start[row - 1];
  pattern->start[0] = 0;
}

static inline bool nabla_pattern_transpose(const NablaPattern *pattern, NablaPattern *transposed) {
  *transposed = nabla_pattern_empty(pattern->columns, pattern->rows);
  transposed->start = nabla_sparse_ints((size_t)pattern->columns);
  if (!transposed->start)
    return false;
  for (int entry = 0; entry < nabla_pattern_count(pattern); entry++)
    transposed->start[pattern->column[entry] + 1]++;
  if (!nabla_pattern_sum(transposed))
    return false;
  for (int row = 0; row < pattern->rows; row++)
    for (int entry = pattern->start[row]; entry < pattern->start[row + 1]; entry++)
      transposed->column[transposed->start[pattern->column[entry]]++] = row;
  nabla_pattern_rewind(transposed);
  return true;
}

/* Writes what stands in either of two ascending lists to `out`, where that is not NULL; returns how
 * many that are. */
static inline int nabla_pattern_merge(const int *a, const int *a_end, const int *b,
                                      const int *b_end, int *out) {
  int count = 0;
  while (a < a_end || b < b_end) {
    bool first = b == b_end || (a < a_end && *a <= *b);
    int next = first ? *a : *b;
    a += a < a_end && *a == next;
    b += b < b_end && *b == next;
    if (out)
      out[count] = next;
    count++;
  }
  return count;
}

static inline int nabla_pattern_merge_row(const NablaPattern *a, const NablaPattern *b, int row,
                                          int *out) {
  return nabla_pattern_merge(a->column + a->start[row], a->column + a->start[row + 1],
                             b->column + b->start[row], b->column + b->start[row + 1], out);
}

/* What stands in either pattern, of equal sizes. */
static inline bool nabla_pattern_unite(const NablaPattern *a, const NablaPattern *b,
                                       NablaPattern *both) {
  *both = nabla_pattern_empty(a->rows, a->columns);
  both->start = nabla_sparse_ints((size_t)a->rows);
  if (!both->start)
    return false;
  for (int row = 0; row < a->rows; row++)
    both->start[row + 1] = nabla_pattern_merge_row(a, b, row, NULL);
  if (!nabla_pattern_sum(both))
    return false;
  for (int row = 0; row < a->rows; row++)
    nabla_pattern_merge_row(a, b, row, both->column + both->start[row]);
  return true;
}

/* The pattern takes the place of its union with `other`, which is freed. */
static inline bool nabla_pattern_add(NablaPattern *pattern, NablaPattern *other) {
  NablaPattern both;
  bool ok = nabla_pattern_unite(pattern, other, &both);
  nabla_pattern_free(other);
  if (!ok) {
    nabla_pattern_free(&both);
    return false;
  }
  nabla_pattern_free(pattern);
  *pattern = both;
  return true;
}

/* Where the row has the column; -1: nowhere. */
static inline int nabla_pattern_place(const NablaPattern *pattern, int row, int column) {
  int low = pattern->start[row], end = pattern->start[row + 1];
  while (low < end) {
    int middle = low + (end - low) / 2;
    if (pattern->column[middle] < column)
      low = middle + 1;
    else
      end = middle;
  }
  return low < pattern->start[row + 1] && pattern->column[low] == column ? low : -1;
}

#endif

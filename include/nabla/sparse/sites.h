/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Directions by the function's loads (__enzyme_fwdsites): which column a number of the product
 * belongs to. */
#ifndef NABLA_SPARSE_SITES_H
#define NABLA_SPARSE_SITES_H

#include <stdint.h>

#include "nabla/sparse/pattern.h"

/* NablaSparseFunction.site_masks. */
typedef void NablaSiteMasks(const double *x, const double *mx, double *y, double *my, void *data,
                            int *done);

/* `width` directions of a function, of which the first `used` are used. */
typedef struct NablaSites {
  int rows, columns, width, used;
  int *column; /* rows by `used`, plus one; 0: there is none. NULL: not known */
  bool varied; /* there were points where some had none */
} NablaSites;

/* What the masks of columns are made of: two or more that are joined do not look like one. */
#define NABLA_SITE_BITS (((uint64_t)1 << 62) - 1)

static inline uint64_t nabla_site_mask(int column, bool turned) {
  uint64_t number = (uint64_t)column;
  return turned ? ~number & NABLA_SITE_BITS : number;
}

/* Seeds each column with its number, or with all other bits, and runs the function; returns how
 * many directions it uses, 0 where it cannot be asked. */
static inline int nabla_sites_run(NablaSiteMasks *masks, const NablaSites *sites, bool turned,
                                  const double *x, double *mx, double *y, double *my, void *data) {
  int used = 0;
  for (int column = 0; column < sites->columns; column++) {
    uint64_t mask = nabla_site_mask(column + 1, turned);
    memcpy(&mx[column], &mask, sizeof mask);
  }
  memset(my, 0, (size_t)sites->width * (size_t)sites->rows * sizeof *my);
  memset(y, 0, (size_t)sites->rows * sizeof *y);
  masks(x, mx, y, my, data, &used);
  return used;
}

static inline size_t nabla_sites_count(const NablaSites *sites) {
  return (size_t)sites->used * (size_t)sites->rows;
}

/* Of number `i` of those that are used. */
static inline uint64_t nabla_sites_mask_at(const NablaSites *sites, const double *my, size_t i) {
  size_t used = (size_t)sites->used, row = i / used;
  uint64_t mask;
  memcpy(&mask, &my[row * (size_t)sites->width + i % used], sizeof mask);
  return mask;
}

/* Takes the columns from the first run. False: numbers have more than one in a direction. */
static inline bool nabla_sites_take(NablaSites *sites, const double *my) {
  size_t count = nabla_sites_count(sites);
  for (size_t i = 0; i < count; i++) {
    uint64_t mask = nabla_sites_mask_at(sites, my, i);
    if (mask > (uint64_t)sites->columns)
      return false;
    sites->column[i] = (int)mask;
  }
  return true;
}

/* Does the second run agree? */
static inline bool nabla_sites_agree(const NablaSites *sites, const double *my) {
  size_t count = nabla_sites_count(sites);
  for (size_t i = 0; i < count; i++) {
    uint64_t expected = sites->column[i] ? nabla_site_mask(sites->column[i], true) : 0;
    if (nabla_sites_mask_at(sites, my, i) != expected)
      return false;
  }
  return true;
}

/* Adds what is known from other points. False: a direction stood for another column there. */
static inline bool nabla_sites_unite(NablaSites *sites, const NablaSites *known) {
  size_t count = nabla_sites_count(sites);
  if (sites->used != known->used)
    return false;
  sites->varied = sites->varied || known->varied;
  for (size_t i = 0; i < count; i++) {
    int both = known->column[i] ? known->column[i] : sites->column[i];
    if (sites->column[i] && sites->column[i] != both)
      return false;
    sites->varied = sites->varied || !known->column[i] != !sites->column[i];
    sites->column[i] = both;
  }
  return true;
}

/* Finds the columns at x, of `sites->width` directions. False: they cannot be had, or there is no
 * memory. */
static inline bool nabla_sites_find(NablaSiteMasks *masks, NablaSites *sites, const double *x,
                                    double *y, void *data) {
  size_t numbers = (size_t)sites->width * (size_t)sites->rows;
  double *mx = nabla_sparse_doubles((size_t)sites->columns), *my = nabla_sparse_doubles(numbers);
  sites->used = mx && my ? nabla_sites_run(masks, sites, false, x, mx, y, my, data) : 0;
  sites->column = sites->used ? nabla_sparse_ints(nabla_sites_count(sites)) : NULL;
  bool ok = sites->column && nabla_sites_take(sites, my) &&
            nabla_sites_run(masks, sites, true, x, mx, y, my, data) == sites->used &&
            nabla_sites_agree(sites, my);
  free(mx);
  free(my);
  return ok;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The functions of nabla/sparse.h. */
#ifndef NABLA_SPARSE_MATRIX_H
#define NABLA_SPARSE_MATRIX_H

#include "nabla/sparse.h"
#include "nabla/sparse/find.h"
#include "nabla/sparse/sites.h"

/* How values are computed. Either the columns of colour c are direction c % width of run c / width;
 * or there is one run, whose directions are those of the function's loads. */
struct NablaSparsePlan {
  const NablaSparseFunction *function;
  int *colour;                     /* of each column */
  int *colour_start, *colour_list; /* the columns of each colour */
  int runs;
  int *run_start;       /* the entries that each run gives: */
  int *target, *source; /* their places (NULL: their order), and those in dy */
  bool interleaved;     /* the directions of a number lie side by side in dx and dy */
  NablaSites sites;     /* `column` NULL: directions are those of colours */
  /* By loads: what else is to be added to entries. */
  int more;
  int *more_target, *more_source;
  /* `width` directions. Between runs dy is zero, and so is dx, but for a single run. */
  double *dx, *y, *dy;
};

static inline void nabla_plan_free(struct NablaSparsePlan *plan) {
  if (!plan)
    return;
  free(plan->colour);
  free(plan->colour_start);
  free(plan->colour_list);
  free(plan->run_start);
  free(plan->target);
  free(plan->source);
  free(plan->sites.column);
  free(plan->more_target);
  free(plan->more_source);
  free(plan->dx);
  free(plan->y);
  free(plan->dy);
  free(plan);
}

static inline void nabla_sparse_free(NablaSparse *matrix) {
  if (!matrix)
    return;
  nabla_plan_free(matrix->plan);
  free(matrix->start);
  free(matrix->column);
  free(matrix->value);
  free(matrix);
}

static inline int nabla_plan_colour(struct NablaSparsePlan *plan, const NablaPattern *pattern) {
  NablaPattern columns;
  if (plan->function->symmetric)
    return nabla_colour_star(pattern, plan->colour);
  bool ok = nabla_pattern_transpose(pattern, &columns);
  int colours = ok ? nabla_colour_matrix(pattern, &columns, plan->colour) : -1;
  nabla_pattern_free(&columns);
  return colours;
}

static inline void nabla_plan_list_colours(struct NablaSparsePlan *plan, int columns, int colours) {
  for (int column = 0; column < columns; column++)
    plan->colour_start[plan->colour[column] + 1]++;
  for (int colour = 0; colour < colours; colour++)
    plan->colour_start[colour + 1] += plan->colour_start[colour];
  for (int column = 0; column < columns; column++)
    plan->colour_list[plan->colour_start[plan->colour[column]]++] = column;
  for (int colour = colours; colour > 0; colour--)
    plan->colour_start[colour] = plan->colour_start[colour - 1];
  plan->colour_start[0] = 0;
}

/* Counts in `seen`, by colour, the row's columns. */
static inline void nabla_plan_count(const struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                    int row, int *seen, int by) {
  for (int entry = pattern->start[row]; entry < pattern->start[row + 1]; entry++)
    seen[plan->colour[pattern->column[entry]]] += by;
}

/* For each entry the colour and the row of the product that hold it: its own, where its column is
 * the only one of its colour in the row; else, in a symmetric matrix, those of its mirror image. */
static inline void nabla_plan_read_from(const struct NablaSparsePlan *plan,
                                        const NablaPattern *pattern, int *seen, int *from_colour,
                                        int *from_row) {
  for (int row = 0; row < pattern->rows; row++) {
    nabla_plan_count(plan, pattern, row, seen, 1);
    for (int entry = pattern->start[row]; entry < pattern->start[row + 1]; entry++) {
      int column = pattern->column[entry];
      bool own = seen[plan->colour[column]] == 1;
      from_colour[entry] = plan->colour[own ? column : row];
      from_row[entry] = own ? row : column;
    }
    nabla_plan_count(plan, pattern, row, seen, -1);
  }
}

/* Where a number of one direction lies in dx or dy, each of which has `count` numbers. */
static inline size_t nabla_plan_place(const struct NablaSparsePlan *plan, int count, int direction,
                                      int number) {
  size_t width = (size_t)plan->function->width;
  return plan->interleaved ? (size_t)number * width + (size_t)direction
                           : (size_t)direction * (size_t)count + (size_t)number;
}

/* Sorts the entries by the run that gives them. */
static inline void nabla_plan_sort(struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                   const int *from_colour, const int *from_row) {
  int width = plan->function->width, count = nabla_pattern_count(pattern);
  for (int entry = 0; entry < count; entry++)
    plan->run_start[from_colour[entry] / width + 1]++;
  for (int run = 0; run < plan->runs; run++)
    plan->run_start[run + 1] += plan->run_start[run];
  for (int entry = 0; entry < count; entry++) {
    int place = plan->run_start[from_colour[entry] / width]++;
    if (plan->target)
      plan->target[place] = entry;
    plan->source[place] =
        (int)nabla_plan_place(plan, pattern->rows, from_colour[entry] % width, from_row[entry]);
  }
  for (int run = plan->runs; run > 0; run--)
    plan->run_start[run] = plan->run_start[run - 1];
  plan->run_start[0] = 0;
}

static inline bool nabla_plan_entries(struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                      int colours) {
  size_t count = (size_t)nabla_pattern_count(pattern);
  int *from_colour = nabla_sparse_ints(count), *from_row = nabla_sparse_ints(count);
  int *seen = nabla_sparse_ints((size_t)colours);
  bool ok = from_colour && from_row && seen;
  if (ok) {
    nabla_plan_read_from(plan, pattern, seen, from_colour, from_row);
    nabla_plan_sort(plan, pattern, from_colour, from_row);
  }
  free(from_colour);
  free(from_row);
  free(seen);
  return ok;
}

static inline bool nabla_plan_allocate(struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                       int colours) {
  size_t count = (size_t)nabla_pattern_count(pattern);
  size_t rows = (size_t)pattern->rows, columns = (size_t)pattern->columns;
  size_t width = (size_t)plan->function->width;
  plan->runs = (colours + plan->function->width - 1) / plan->function->width;
  plan->colour_start = nabla_sparse_ints((size_t)colours);
  plan->colour_list = nabla_sparse_ints(columns);
  plan->run_start = nabla_sparse_ints((size_t)plan->runs);
  plan->target = plan->runs > 1 ? nabla_sparse_ints(count) : NULL;
  plan->source = nabla_sparse_ints(count);
  return plan->colour_start && plan->colour_list && plan->run_start &&
         (plan->target || plan->runs <= 1) && plan->source;
}

/* Sets the directions of run `run` to `seed`: one, or zero again. */
static inline void nabla_plan_seed(const struct NablaSparsePlan *plan, int columns, int colours,
                                   int run, double seed) {
  int width = plan->function->width, first = run * width;
  for (int lane = 0; lane < width && first + lane < colours; lane++) {
    int end = plan->colour_start[first + lane + 1];
    for (int i = plan->colour_start[first + lane]; i < end; i++)
      plan->dx[nabla_plan_place(plan, columns, lane, plan->colour_list[i])] = seed;
  }
}

/* Asks the function, in directions of zeros, in which way its directions can lie. */
static inline void nabla_plan_try(struct NablaSparsePlan *plan, int rows, const double *x,
                                  void *data) {
  const NablaSparseFunction *function = plan->function;
  int done = 0;
  if (function->interleaved)
    function->interleaved(x, plan->dx, plan->y, plan->dy, data, &done);
  plan->interleaved = done != 0;
  memset(plan->dy, 0, (size_t)function->width * (size_t)rows * sizeof *plan->dy);
}

/* By colours. Returns how many directions that takes; -1: errno. */
static inline int nabla_plan_by_colours(struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                        const double *x, void *data) {
  plan->colour = nabla_sparse_ints((size_t)pattern->columns);
  int colours = plan->colour ? nabla_plan_colour(plan, pattern) : -1;
  if (colours < 0 || !nabla_plan_allocate(plan, pattern, colours))
    return -1;
  nabla_plan_list_colours(plan, pattern->columns, colours);
  nabla_plan_try(plan, pattern->rows, x, data);
  if (!nabla_plan_entries(plan, pattern, colours))
    return -1;
  if (plan->runs == 1)
    nabla_plan_seed(plan, pattern->columns, colours, 0, 1);
  return colours;
}

/* The number of a row in a direction is the entry, or one of several whose sum it is. */
static inline void nabla_plan_add_source(struct NablaSparsePlan *plan, int entry, int source,
                                         int none) {
  if (plan->source[entry] == none) {
    plan->source[entry] = source;
  } else {
    plan->more_target[plan->more] = entry;
    plan->more_source[plan->more++] = source;
  }
}

/* Where each entry is among the numbers of the function's directions: nowhere, behind them, there
 * is a zero. */
static inline void nabla_plan_read_sites(struct NablaSparsePlan *plan,
                                         const NablaPattern *pattern) {
  int width = plan->function->width, none = pattern->rows * width;
  for (int entry = 0; entry < nabla_pattern_count(pattern); entry++)
    plan->source[entry] = none;
  for (int row = 0; row < pattern->rows; row++)
    for (int source = row * width; source < (row + 1) * width; source++) {
      int column = plan->sites.column[source] - 1;
      int entry = column < 0 ? -1 : nabla_pattern_place(pattern, row, column);
      if (entry >= 0)
        nabla_plan_add_source(plan, entry, source, none);
    }
}

/* By the function's loads, if it can be done, and could at all points before. Returns how many
 * directions that takes; 0: it cannot, and nothing has changed. */
static inline int nabla_plan_by_sites(struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                      const NablaSites *known, const double *x, void *data) {
  size_t count = (size_t)pattern->rows * (size_t)plan->function->width;
  plan->sites = (NablaSites){pattern->rows, pattern->columns, plan->function->width, 0, NULL};
  bool ok = (!known || known->column) &&
            nabla_sites_find(plan->function, &plan->sites, x, plan->dx, plan->y, plan->dy, data);
  ok = ok && (!known || nabla_sites_unite(&plan->sites, known));
  plan->source = ok ? nabla_sparse_ints((size_t)nabla_pattern_count(pattern)) : NULL;
  plan->more_target = ok ? nabla_sparse_ints(count) : NULL;
  plan->more_source = ok ? nabla_sparse_ints(count) : NULL;
  if (plan->source && plan->more_target && plan->more_source) {
    nabla_plan_read_sites(plan, pattern);
    for (int column = 0; column < pattern->columns; column++)
      plan->dx[column] = 1;
    return plan->sites.used;
  }
  free(plan->sites.column);
  free(plan->source);
  free(plan->more_target);
  free(plan->more_source);
  plan->sites.column = plan->source = plan->more_target = plan->more_source = NULL;
  return 0;
}

/* `known`: of the plan before this one; NULL: there was none. Returns NULL: errno. */
static inline struct NablaSparsePlan *nabla_plan_new(const NablaSparseFunction *function,
                                                     const NablaPattern *pattern,
                                                     const NablaSites *known, const double *x,
                                                     void *data, int *directions) {
  size_t rows = (size_t)pattern->rows, columns = (size_t)pattern->columns;
  struct NablaSparsePlan *plan = (struct NablaSparsePlan *)calloc(1, sizeof *plan);
  if (!plan)
    return NULL;
  plan->function = function;
  plan->dx = nabla_sparse_doubles((size_t)function->width * columns);
  plan->y = nabla_sparse_doubles(rows);
  plan->dy = nabla_sparse_doubles((size_t)function->width * rows + 1);
  *directions = -1;
  if (plan->dx && plan->y && plan->dy) {
    *directions = nabla_plan_by_sites(plan, pattern, known, x, data);
    if (!*directions)
      *directions = nabla_plan_by_colours(plan, pattern, x, data);
  }
  if (*directions >= 0)
    return plan;
  nabla_plan_free(plan);
  return NULL;
}

/* The pattern at x, both halves of it where the matrix is symmetric. */
static inline bool nabla_sparse_find(const NablaSparseFunction *function, int rows, int columns,
                                     const double *x, void *data, NablaPattern *pattern) {
  NablaRun run = {function->masks, x, data, NULL, NULL, NULL};
  NablaPattern mirrored;
  run.mx = nabla_sparse_doubles((size_t)columns);
  run.y = nabla_sparse_doubles((size_t)rows);
  run.my = nabla_sparse_doubles((size_t)rows);
  bool ok = run.mx && run.y && run.my && nabla_find(&run, rows, columns, pattern);
  free(run.mx);
  free(run.y);
  free(run.my);
  if (!ok || !function->symmetric)
    return ok;
  if (nabla_pattern_transpose(pattern, &mirrored) && nabla_pattern_add(pattern, &mirrored))
    return true;
  nabla_pattern_free(pattern);
  return false;
}

/* Gives the matrix a pattern, and zeros for values; false: it is as it was, and the pattern is
 * freed. */
static inline bool nabla_sparse_set(NablaSparse *matrix, const NablaSparseFunction *function,
                                    NablaPattern *pattern, const double *x, void *data) {
  int colours = 0;
  const NablaSites *known = matrix->plan ? &matrix->plan->sites : NULL;
  double *value = nabla_sparse_doubles((size_t)nabla_pattern_count(pattern));
  struct NablaSparsePlan *plan =
      value ? nabla_plan_new(function, pattern, known, x, data, &colours) : NULL;
  if (!plan) {
    free(value);
    nabla_pattern_free(pattern);
    return false;
  }
  nabla_plan_free(matrix->plan);
  free(matrix->start);
  free(matrix->column);
  free(matrix->value);
  matrix->start = pattern->start;
  matrix->column = pattern->column;
  matrix->value = value;
  matrix->colours = colours;
  matrix->plan = plan;
  return true;
}

static inline NablaSparse *nabla_sparse_new(const NablaSparseFunction *function, int rows,
                                            int columns, const double *x, void *data) {
  NablaPattern pattern;
  if (rows > INT_MAX / function->width || columns > INT_MAX / function->width) {
    errno = EOVERFLOW;
    return NULL;
  }
  NablaSparse *matrix = (NablaSparse *)calloc(1, sizeof *matrix);
  if (!matrix)
    return NULL;
  matrix->rows = rows;
  matrix->columns = columns;
  if (nabla_sparse_find(function, rows, columns, x, data, &pattern) &&
      nabla_sparse_set(matrix, function, &pattern, x, data))
    return matrix;
  free(matrix);
  return NULL;
}

/* Where directions are those of loads: are they all those that are known? */
static inline bool nabla_sparse_still_fits(NablaSparse *matrix, const double *x, void *data) {
  struct NablaSparsePlan *plan = matrix->plan;
  NablaSites sites = plan->sites;
  if (!plan->sites.column)
    return true;
  bool fits = nabla_sites_find(plan->function, &sites, x, plan->dx, plan->y, plan->dy, data) &&
              nabla_sites_unite(&plan->sites, &sites) && nabla_sites_unite(&sites, &plan->sites);
  free(sites.column);
  for (int column = 0; column < matrix->columns; column++)
    plan->dx[column] = 1;
  return fits;
}

static inline int nabla_sparse_extend(NablaSparse *matrix, const double *x, void *data) {
  const NablaSparseFunction *function = matrix->plan->function;
  NablaPattern old = {matrix->rows, matrix->columns, matrix->start, matrix->column};
  NablaPattern found, both;
  if (!nabla_sparse_find(function, matrix->rows, matrix->columns, x, data, &found))
    return -1;
  bool ok = nabla_pattern_unite(&old, &found, &both);
  nabla_pattern_free(&found);
  int more = ok ? nabla_pattern_count(&both) - nabla_pattern_count(&old) : -1;
  if (more < 0 || (more == 0 && nabla_sparse_still_fits(matrix, x, data))) {
    nabla_pattern_free(&both);
    return more;
  }
  return nabla_sparse_set(matrix, function, &both, x, data) ? more : -1;
}

/* Computes `width` directions. */
static inline void nabla_plan_run(const struct NablaSparsePlan *plan, int rows, int columns,
                                  const double *x, double *y, void *data) {
  size_t x_bytes = (size_t)columns * sizeof *x, y_bytes = (size_t)rows * sizeof *y;
  memset(y, 0, y_bytes);
  int done = 0;
  if (plan->sites.column)
    plan->function->sites(x, plan->dx, y, plan->dy, data, &done);
  else if (plan->interleaved)
    plan->function->interleaved(x, plan->dx, y, plan->dy, data, &done);
  else
    plan->function->tangents(x, plan->dx, x_bytes, y, plan->dy, y_bytes, data);
}

/* The same of directions by loads. */
static inline void nabla_plan_take_sites(NablaSparse *matrix) {
  const struct NablaSparsePlan *plan = matrix->plan;
  int count = matrix->start[matrix->rows];
  for (int entry = 0; entry < count; entry++) {
    matrix->value[entry] = plan->dy[plan->source[entry]];
    plan->dy[plan->source[entry]] = 0;
  }
  for (int i = 0; i < plan->more; i++) {
    matrix->value[plan->more_target[i]] += plan->dy[plan->more_source[i]];
    plan->dy[plan->more_source[i]] = 0;
  }
}

/* Takes the entries of a run out of dy, which is zero then. */
static inline void nabla_plan_take(NablaSparse *matrix, int run) {
  const struct NablaSparsePlan *plan = matrix->plan;
  bool symmetric = plan->function->symmetric;
  for (int i = plan->run_start[run]; i < plan->run_start[run + 1]; i++) {
    double *from = plan->dy + plan->source[i];
    matrix->value[plan->target ? plan->target[i] : i] = *from;
    *from = symmetric ? *from : 0;
  }
  if (symmetric)
    memset(plan->dy, 0, (size_t)plan->function->width * (size_t)matrix->rows * sizeof *plan->dy);
}

static inline void nabla_sparse_fill(NablaSparse *matrix, const double *x, double *y, void *data) {
  const struct NablaSparsePlan *plan = matrix->plan;
  double *out = y ? y : plan->y;
  if (plan->sites.column) {
    nabla_plan_run(plan, matrix->rows, matrix->columns, x, out, data);
    nabla_plan_take_sites(matrix);
  }
  for (int run = 0; run < plan->runs; run++) {
    if (plan->runs > 1)
      nabla_plan_seed(plan, matrix->columns, matrix->colours, run, 1);
    nabla_plan_run(plan, matrix->rows, matrix->columns, x, out, data);
    if (plan->runs > 1)
      nabla_plan_seed(plan, matrix->columns, matrix->colours, run, 0);
    nabla_plan_take(matrix, run);
  }
}

#endif

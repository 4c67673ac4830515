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
  /* By loads: where the number of each row in each direction goes among the values of the matrix.
   * Behind its entries these have `more` places for what is to be added to the entries
   * `more_target`, and `others` for what is no entry in the end: each has its own, since the
   * function may read it again. */
  int *place, *more_target;
  int more, others;
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
  free(plan->place);
  free(plan->more_target);
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
static inline size_t nabla_plan_offset(const struct NablaSparsePlan *plan, int count, int direction,
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
        (int)nabla_plan_offset(plan, pattern->rows, from_colour[entry] % width, from_row[entry]);
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
  plan->dx = nabla_sparse_doubles(width * columns);
  plan->dy = nabla_sparse_doubles(width * rows);
  plan->runs = (colours + plan->function->width - 1) / plan->function->width;
  plan->colour_start = nabla_sparse_ints((size_t)colours);
  plan->colour_list = nabla_sparse_ints(columns);
  plan->run_start = nabla_sparse_ints((size_t)plan->runs);
  plan->target = plan->runs > 1 ? nabla_sparse_ints(count) : NULL;
  plan->source = nabla_sparse_ints(count);
  return plan->colour_start && plan->colour_list && plan->run_start &&
         (plan->target || plan->runs <= 1) && plan->source && plan->dx && plan->dy;
}

/* Sets the directions of run `run` to `seed`: one, or zero again. */
static inline void nabla_plan_seed(const struct NablaSparsePlan *plan, int columns, int colours,
                                   int run, double seed) {
  int width = plan->function->width, first = run * width;
  for (int lane = 0; lane < width && first + lane < colours; lane++) {
    int end = plan->colour_start[first + lane + 1];
    for (int i = plan->colour_start[first + lane]; i < end; i++)
      plan->dx[nabla_plan_offset(plan, columns, lane, plan->colour_list[i])] = seed;
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

/* The place of a number that belongs to an entry, or, from its second on, is to be added there. */
static inline int nabla_plan_place_at(struct NablaSparsePlan *plan, int entry, int count,
                                      bool *taken) {
  if (!taken[entry]) {
    taken[entry] = true;
    return entry;
  }
  plan->more_target[plan->more] = entry;
  return count + plan->more++;
}

static inline void nabla_plan_set_places(struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                         bool *taken) {
  int used = plan->sites.used, count = nabla_pattern_count(pattern);
  for (int i = 0; i < pattern->rows * used; i++) {
    int column = plan->sites.column[i] - 1;
    int entry = column < 0 ? -1 : nabla_pattern_place(pattern, i / used, column);
    plan->place[i] = entry < 0 ? -1 : nabla_plan_place_at(plan, entry, count, taken);
  }
  for (int i = 0; i < pattern->rows * used; i++)
    if (plan->place[i] < 0)
      plan->place[i] = count + plan->more + plan->others++;
}

/* How many values there are, with those behind the entries. */
static inline size_t nabla_plan_values(const struct NablaSparsePlan *plan, int entries) {
  return (size_t)entries + (size_t)plan->more + (size_t)plan->others;
}

static inline bool nabla_plan_list_places(struct NablaSparsePlan *plan,
                                          const NablaPattern *pattern) {
  size_t count = (size_t)pattern->rows * (size_t)plan->sites.used;
  size_t entries = (size_t)nabla_pattern_count(pattern);
  bool *taken = (bool *)calloc(entries + 1, sizeof *taken);
  plan->place = nabla_sparse_ints(count);
  plan->more_target = nabla_sparse_ints(count);
  bool ok = taken && plan->place && plan->more_target && count <= (size_t)INT_MAX - entries;
  if (ok)
    nabla_plan_set_places(plan, pattern, taken);
  free(taken);
  return ok;
}

/* Can the numbers themselves be had, in as many directions? */
static inline bool nabla_plan_try_sites(const struct NablaSparsePlan *plan,
                                        const NablaPattern *pattern, const double *x, void *data) {
  double *value = nabla_sparse_doubles(nabla_plan_values(plan, nabla_pattern_count(pattern)));
  int done = 0;
  memset(plan->y, 0, (size_t)pattern->rows * sizeof *plan->y);
  if (value)
    plan->function->sites(x, value, plan->y, plan->place, data, &done);
  free(value);
  return done == plan->sites.used;
}

/* By the function's loads, if it can be done, and could at all points before. Returns how many
 * directions that takes; 0: it cannot, and nothing has changed. */
static inline int nabla_plan_by_sites(struct NablaSparsePlan *plan, const NablaPattern *pattern,
                                      const NablaSites *known, const double *x, void *data) {
  int width = plan->function->site_width;
  NablaSites sites = {pattern->rows, pattern->columns, width, 0, NULL, false};
  plan->sites = sites;
  if (width && pattern->rows <= INT_MAX / width && (!known || known->column) &&
      nabla_sites_find(plan->function->site_masks, &plan->sites, x, plan->y, data) &&
      (!known || nabla_sites_unite(&plan->sites, known)) && nabla_plan_list_places(plan, pattern) &&
      nabla_plan_try_sites(plan, pattern, x, data))
    return plan->sites.used;
  free(plan->sites.column);
  free(plan->place);
  free(plan->more_target);
  plan->sites.column = plan->place = plan->more_target = NULL;
  plan->more = plan->others = 0;
  return 0;
}

/* `known`: of the plan before this one; NULL: there was none. Returns NULL: errno. */
static inline struct NablaSparsePlan *nabla_plan_new(const NablaSparseFunction *function,
                                                     const NablaPattern *pattern,
                                                     const NablaSites *known, const double *x,
                                                     void *data, int *directions) {
  struct NablaSparsePlan *plan = (struct NablaSparsePlan *)calloc(1, sizeof *plan);
  if (!plan)
    return NULL;
  plan->function = function;
  plan->y = nabla_sparse_doubles((size_t)pattern->rows);
  *directions = plan->y ? nabla_plan_by_sites(plan, pattern, known, x, data) : -1;
  if (!*directions)
    *directions = nabla_plan_by_colours(plan, pattern, x, data);
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
  int directions = 0;
  const NablaSites *known = matrix->plan ? &matrix->plan->sites : NULL;
  struct NablaSparsePlan *plan = nabla_plan_new(function, pattern, known, x, data, &directions);
  int count = nabla_pattern_count(pattern);
  double *value = plan ? nabla_sparse_doubles(nabla_plan_values(plan, count)) : NULL;
  if (!value) {
    nabla_plan_free(plan);
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
  matrix->colours = directions;
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

/* Where directions are those of loads: do they stand at x for the columns that are known? */
static inline bool nabla_sparse_fits(const NablaSparse *matrix, const double *x, void *data) {
  const struct NablaSparsePlan *plan = matrix->plan;
  if (!plan->sites.column)
    return true;
  NablaSites sites = plan->sites;
  sites.varied = false;
  bool fits = nabla_sites_find(plan->function->site_masks, &sites, x, plan->y, data) &&
              nabla_sites_unite(&sites, &plan->sites) && sites.varied == plan->sites.varied;
  free(sites.column);
  return fits;
}

/* The pattern and the values stay where they are, and are computed by colours from now on. */
static inline bool nabla_sparse_recolour(NablaSparse *matrix, const double *x, void *data) {
  NablaPattern pattern = {matrix->rows, matrix->columns, matrix->start, matrix->column};
  NablaSites unknown = {0, 0, 0, 0, NULL, false};
  int directions = 0;
  struct NablaSparsePlan *plan =
      nabla_plan_new(matrix->plan->function, &pattern, &unknown, x, data, &directions);
  if (!plan)
    return false;
  nabla_plan_free(matrix->plan);
  matrix->plan = plan;
  matrix->colours = directions;
  return true;
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
  if (more <= 0) {
    nabla_pattern_free(&both);
    ok = more < 0 || nabla_sparse_fits(matrix, x, data) || nabla_sparse_recolour(matrix, x, data);
    return ok ? more : -1;
  }
  return nabla_sparse_set(matrix, function, &both, x, data) ? more : -1;
}

/* Computes `width` directions. */
static inline void nabla_plan_run(const struct NablaSparsePlan *plan, int rows, int columns,
                                  const double *x, double *y, void *data) {
  size_t x_bytes = (size_t)columns * sizeof *x, y_bytes = (size_t)rows * sizeof *y;
  memset(y, 0, y_bytes);
  int done = 0;
  if (plan->interleaved)
    plan->function->interleaved(x, plan->dx, y, plan->dy, data, &done);
  else
    plan->function->tangents(x, plan->dx, x_bytes, y, plan->dy, y_bytes, data);
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

/* By loads: the function writes the values. A gradient adds them up, and where rows were not
 * written at all points, those of others may be left. */
static inline void nabla_plan_write_values(NablaSparse *matrix, const double *x, double *y,
                                           void *data) {
  const struct NablaSparsePlan *plan = matrix->plan;
  size_t entries = (size_t)matrix->start[matrix->rows], rows = (size_t)matrix->rows;
  double *more = matrix->value + entries;
  int done = 0;
  memset(y, 0, rows * sizeof *y);
  if (plan->function->symmetric || plan->sites.varied)
    memset(matrix->value, 0, nabla_plan_values(plan, (int)entries) * sizeof *matrix->value);
  plan->function->sites(x, matrix->value, y, plan->place, data, &done);
  for (int i = 0; i < plan->more; i++)
    matrix->value[plan->more_target[i]] += more[i];
}

static inline void nabla_sparse_fill(NablaSparse *matrix, const double *x, double *y, void *data) {
  const struct NablaSparsePlan *plan = matrix->plan;
  double *out = y ? y : plan->y;
  if (plan->sites.column)
    nabla_plan_write_values(matrix, x, out, data);
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

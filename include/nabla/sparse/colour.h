/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Colours: which columns are computed together. */
#ifndef NABLA_SPARSE_COLOUR_H
#define NABLA_SPARSE_COLOUR_H

#include <stdint.h>

#include "nabla/sparse/pattern.h"

/* Can the column join those that have marked their rows with `colour`? */
static inline bool nabla_colour_fits(const NablaPattern *columns, int column, const int *marks,
                                     int colour) {
  for (int entry = columns->start[column]; entry < columns->start[column + 1]; entry++)
    if (marks[columns->column[entry]] == colour)
      return false;
  return true;
}

/* Columns of one colour share no row. `columns` is the transposed pattern; `order`, all columns in
 * the order in which they are coloured, is used up, and `marks` has an int for each row. One colour
 * after another takes all columns that it can (A. R. Curtis, M. J. D. Powell and J. K. Reid, "On
 * the estimation of sparse Jacobian matrices", 1974), which is greedy distance-2 colouring (T. F.
 * Coleman and J. J. More, "Estimation of sparse Jacobian matrices and graph coloring problems",
 * 1983). Returns the number of colours. */
static inline int nabla_colour_in_order(const NablaPattern *columns, int *order, int *marks,
                                        int *colour) {
  int left = columns->rows, colours = 0;
  for (int row = 0; row < columns->columns; row++)
    marks[row] = -1;
  for (; left > 0; colours++) {
    int kept = 0;
    for (int i = 0; i < left; i++) {
      int column = order[i];
      if (!nabla_colour_fits(columns, column, marks, colours)) {
        order[kept++] = column;
        continue;
      }
      colour[column] = colours;
      for (int entry = columns->start[column]; entry < columns->start[column + 1]; entry++)
        marks[columns->column[entry]] = colours;
    }
    left = kept;
  }
  return colours;
}

/* All columns, those with most entries first. */
static inline bool nabla_colour_by_size(const NablaPattern *columns, int *order) {
  int *place = nabla_sparse_ints((size_t)columns->columns + 1);
  if (!place)
    return false;
  for (int column = 0; column < columns->rows; column++)
    place[columns->columns - (columns->start[column + 1] - columns->start[column])]++;
  for (int size = 0, next = 0; size <= columns->columns; size++) {
    int count = place[size];
    place[size] = next;
    next += count;
  }
  for (int column = 0; column < columns->rows; column++) {
    int size = columns->start[column + 1] - columns->start[column];
    order[place[columns->columns - size]++] = column;
  }
  free(place);
  return true;
}

/* Columns that have no colour yet, in a list for each number of colours that are taken around them.
 */
typedef struct NablaSaturation {
  const NablaPattern *rows, *columns;
  int *colour;
  uint64_t *taken; /* by columns that share a row with this one, a bit for each colour */
  int *next, *previous;
  int first[65]; /* by number of bits; -1: none */
  int highest;
} NablaSaturation;

static inline int nabla_saturation_count(uint64_t taken) { return __builtin_popcountll(taken); }

static inline void nabla_saturation_insert(NablaSaturation *saturation, int column) {
  int count = nabla_saturation_count(saturation->taken[column]);
  int behind = saturation->first[count];
  saturation->next[column] = behind;
  saturation->previous[column] = -1;
  if (behind >= 0)
    saturation->previous[behind] = column;
  saturation->first[count] = column;
  saturation->highest = count > saturation->highest ? count : saturation->highest;
}

static inline void nabla_saturation_remove(NablaSaturation *saturation, int column) {
  int next = saturation->next[column], previous = saturation->previous[column];
  if (next >= 0)
    saturation->previous[next] = previous;
  if (previous >= 0)
    saturation->next[previous] = next;
  else
    saturation->first[nabla_saturation_count(saturation->taken[column])] = next;
}

/* `chosen` is now taken around all that share a row with the column. */
static inline void nabla_saturation_spread(NablaSaturation *saturation, int column, int chosen) {
  const NablaPattern *columns = saturation->columns, *rows = saturation->rows;
  uint64_t bit = (uint64_t)1 << chosen;
  for (int entry = columns->start[column]; entry < columns->start[column + 1]; entry++) {
    int row = columns->column[entry];
    for (int other = rows->start[row]; other < rows->start[row + 1]; other++) {
      int met = rows->column[other];
      if (saturation->colour[met] >= 0 || saturation->taken[met] & bit)
        continue;
      nabla_saturation_remove(saturation, met);
      saturation->taken[met] |= bit;
      nabla_saturation_insert(saturation, met);
    }
  }
}

/* Returns the number of colours; 0: they are not fewer than `limit`, at most 64. `order`: all
 * columns; of those around which as many colours are taken, the one that came to be so last is
 * next, and at first the first in the order. */
static inline int nabla_saturation_colour(NablaSaturation *saturation, const int *order,
                                          int limit) {
  int count = saturation->columns->rows, colours = 0;
  for (int bits = 0; bits <= 64; bits++)
    saturation->first[bits] = -1;
  for (int column = 0; column < count; column++)
    saturation->colour[column] = -1;
  for (int i = count; i > 0; i--)
    nabla_saturation_insert(saturation, order[i - 1]);
  for (int left = count; left > 0; left--) {
    while (saturation->first[saturation->highest] < 0)
      saturation->highest--;
    int column = saturation->first[saturation->highest];
    uint64_t taken = saturation->taken[column];
    int chosen = taken == UINT64_MAX ? 64 : __builtin_ctzll(~taken);
    if (chosen + 1 >= limit)
      return 0;
    nabla_saturation_remove(saturation, column);
    saturation->colour[column] = chosen;
    colours = chosen < colours ? colours : chosen + 1;
    nabla_saturation_spread(saturation, column, chosen);
  }
  return colours;
}

/* Are fewer than `colours` worth while looking for? Not where a row has as many columns, or rows
 * are long. */
static inline bool nabla_colour_may_improve(const NablaPattern *rows, int colours) {
  int longest = 0;
  double pairs = 0;
  for (int row = 0; row < rows->rows; row++) {
    int length = rows->start[row + 1] - rows->start[row];
    longest = length > longest ? length : longest;
    pairs += (double)length * (double)length;
  }
  return longest < colours && colours <= 64 && pairs <= 64.0 * (double)rows->start[rows->rows];
}

/* The column around which most colours are taken is coloured next (D. Brelaz, "New methods to color
 * the vertices of a graph", 1979), at first the largest. Returns the number of colours, and
 * `colour` has them; `colours`, and it is as it was, where that is no more. -1: errno. */
static inline int nabla_colour_saturated(const NablaPattern *rows, const NablaPattern *columns,
                                         int *colour, int colours) {
  size_t count = (size_t)columns->rows;
  NablaSaturation saturation = {rows, columns, NULL, NULL, NULL, NULL, {0}, 0};
  int *order = nabla_sparse_ints(count);
  saturation.colour = nabla_sparse_ints(count);
  saturation.next = nabla_sparse_ints(count);
  saturation.previous = nabla_sparse_ints(count);
  saturation.taken = (uint64_t *)calloc(count + 1, sizeof *saturation.taken);
  bool ok = order && saturation.colour && saturation.next && saturation.previous &&
            saturation.taken && nabla_colour_by_size(columns, order);
  int fewer = ok ? nabla_saturation_colour(&saturation, order, colours) : -1;
  if (fewer > 0)
    memcpy(colour, saturation.colour, count * sizeof *colour);
  free(order);
  free(saturation.colour);
  free(saturation.next);
  free(saturation.previous);
  free(saturation.taken);
  return fewer ? fewer : colours;
}

/* The better of two orders: as they stand, and the largest first. */
static inline int nabla_colour_columns(const NablaPattern *columns, int *colour) {
  int count = columns->rows;
  int *order = nabla_sparse_ints((size_t)count), *other = nabla_sparse_ints((size_t)count);
  int *marks = nabla_sparse_ints((size_t)columns->columns);
  int colours = -1;
  if (order && other && marks && nabla_colour_by_size(columns, order)) {
    colours = nabla_colour_in_order(columns, order, marks, colour);
    for (int column = 0; column < count; column++)
      order[column] = column;
    int plain = nabla_colour_in_order(columns, order, marks, other);
    if (plain < colours)
      memcpy(colour, other, (size_t)count * sizeof *colour);
    colours = plain < colours ? plain : colours;
  }
  free(order);
  free(other);
  free(marks);
  return colours;
}

/* The best of all that is known here, of a matrix by rows and by columns. */
static inline int nabla_colour_matrix(const NablaPattern *rows, const NablaPattern *columns,
                                      int *colour) {
  int colours = nabla_colour_columns(columns, colour);
  if (colours < 0 || !nabla_colour_may_improve(rows, colours))
    return colours;
  return nabla_colour_saturated(rows, columns, colour, colours);
}

/* Is there, behind neighbour `x` of `w`, another neighbour of the colour of `w`? */
static inline bool nabla_colour_ends_path(const NablaPattern *graph, const int *colour, int w,
                                          int x) {
  for (int entry = graph->start[x]; entry < graph->start[x + 1]; entry++) {
    int y = graph->column[entry];
    if (y != w && y != x && colour[y] == colour[w])
      return true;
  }
  return false;
}

/* Marks the colours that vertex `v` may not have because of its neighbour `w`. */
static inline void nabla_colour_forbid(const NablaPattern *graph, const int *colour, int v, int w,
                                       int *forbidden) {
  if (colour[w] >= 0)
    forbidden[colour[w]] = v;
  for (int entry = graph->start[w]; entry < graph->start[w + 1]; entry++) {
    int x = graph->column[entry];
    if (x == v || x == w || colour[x] < 0)
      continue;
    if (colour[w] < 0 || nabla_colour_ends_path(graph, colour, w, x))
      forbidden[colour[x]] = v;
  }
}

/* A star colouring of a symmetric pattern: neighbours differ, and so do at least three of the four
 * vertices of each path, so that every entry can be read from the product with the columns of a
 * colour (T. F. Coleman and J. J. More, "Estimation of sparse Hessian matrices and graph coloring
 * problems", 1984; A. H. Gebremedhin, A. Tarafdar, F. Manne and A. Pothen, "New acyclic and star
 * coloring algorithms with application to computing Hessians", 2007). */
static inline int nabla_colour_star(const NablaPattern *graph, int *colour) {
  int colours = 0;
  int *forbidden = nabla_sparse_ints((size_t)graph->rows + 1);
  if (!forbidden)
    return -1;
  for (int v = 0; v <= graph->rows; v++)
    forbidden[v] = -1;
  for (int v = 0; v < graph->rows; v++)
    colour[v] = -1;
  for (int v = 0; v < graph->rows; v++) {
    for (int entry = graph->start[v]; entry < graph->start[v + 1]; entry++)
      if (graph->column[entry] != v)
        nabla_colour_forbid(graph, colour, v, graph->column[entry], forbidden);
    int chosen = 0;
    while (forbidden[chosen] == v)
      chosen++;
    colour[v] = chosen;
    colours = chosen < colours ? colours : chosen + 1;
  }
  free(forbidden);
  return colours;
}

#endif

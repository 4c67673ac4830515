/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Colours: which columns are computed together. */
#ifndef NABLA_SPARSE_COLOUR_H
#define NABLA_SPARSE_COLOUR_H

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

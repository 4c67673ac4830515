// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which of n atoms in a cube are in which of its cells, `side` along each edge. */
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include <stdlib.h>

enum { NEAR = 27 };

static const double CUTOFF = 2.5;

/* The atoms of cell c are atoms[starts[c]] .. atoms[starts[c + 1] - 1]. */
typedef struct {
  int side;
  int *starts, *atoms, *of;
} Cells;

static inline int cells_along(int side, double coordinate) {
  int cell = (int)(coordinate / CUTOFF);
  return cell < 0 ? 0 : cell >= side ? side - 1 : cell;
}

/* `at` holds three coordinates of each atom; owned by the caller. */
static inline Cells cells_new(int n, int side, const double *at) {
  int count = side * side * side;
  Cells cells = {.side = side};
  cells.starts = (int *)calloc((size_t)count + 2, sizeof(int));
  cells.atoms = (int *)malloc(sizeof(int) * (size_t)n);
  cells.of = (int *)malloc(sizeof(int) * (size_t)n);
  for (int i = 0; i < n; i++) {
    int x = cells_along(side, at[3 * i]);
    int y = cells_along(side, at[3 * i + 1]);
    cells.of[i] = (x * side + y) * side + cells_along(side, at[3 * i + 2]);
    cells.starts[cells.of[i] + 2]++;
  }
  for (int c = 0; c < count; c++)
    cells.starts[c + 2] += cells.starts[c + 1];
  for (int i = 0; i < n; i++)
    cells.atoms[cells.starts[cells.of[i] + 1]++] = i;
  return cells;
}

static inline void cells_free(Cells *cells) {
  free(cells->starts);
  free(cells->atoms);
  free(cells->of);
}

/* The cell itself and its neighbours, by number; -1 where there is none. */
static inline int cells_near(const Cells *cells, int cell, int near) {
  int side = cells->side;
  int x = cell / (side * side) + near / 9 - 1;
  int y = cell / side % side + near / 3 % 3 - 1;
  int z = cell % side + near % 3 - 1;
  int inside = x >= 0 && y >= 0 && z >= 0 && x < side && y < side && z < side;
  return inside ? (x * side + y) * side + z : -1;
}

#endif

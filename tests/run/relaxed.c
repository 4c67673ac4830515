// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fno-strict-aliasing
// reals: double
/* Arrays of numbers and counts in one struct, of which no tag tells: how far indices go does. */
#include "cases.h"

typedef struct {
  real stack[8];
  int top;
  real memory[4];
  int steps;
} Machine;

enum { PUSH, STORE, ADD, MULTIPLY, HALT };

static void run(Machine *machine, const unsigned char *code) {
  for (int at = 0;; machine->steps++)
    switch (code[at++]) {
    case PUSH:
      machine->stack[machine->top++] = machine->memory[code[at++]];
      break;
    case STORE:
      machine->memory[code[at++]] = machine->stack[--machine->top];
      break;
    case ADD:
      machine->top--;
      machine->stack[machine->top - 1] += machine->stack[machine->top];
      break;
    case MULTIPLY:
      machine->top--;
      machine->stack[machine->top - 1] *= machine->stack[machine->top];
      break;
    default:
      return;
    }
}

MAP(stack_machine, 3, 1, 0.3, 0.5, 0.7) {
  static const unsigned char code[] = {PUSH, 0, PUSH, 1, MULTIPLY, PUSH,  2, ADD, STORE, 3,
                                       PUSH, 3, PUSH, 3, MULTIPLY, STORE, 0, HALT};
  Machine machine;
  memset(&machine, 0, sizeof machine);
  for (int i = 0; i < n; i++)
    machine.memory[i] = x[i];
  run(&machine, code);
  y[0] = machine.memory[0] * machine.steps;
}

/* Lists of neighbours, found by cells: counts and rooms that are read on several ways. */
enum { POINTS = 4, CELLS = 3 };

typedef struct {
  real at[2];
  int next;
} Point;

typedef struct {
  int *index;
  real *distance;
  int count, room;
} Near;

typedef struct {
  Point *points;
  int heads[CELLS * CELLS];
  Near *near;
} Grid;

static int cell_of(real at) {
  int cell = (int)floor(at * CELLS);
  return cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : cell;
}

static void add_near(Near *near, int j, real distance) {
  if (near->count >= near->room) {
    near->room = near->room * 2 + 1;
    near->index = (int *)realloc(near->index, near->room * sizeof *near->index);
    near->distance = (real *)realloc(near->distance, near->room * sizeof *near->distance);
  }
  near->distance[near->count] = distance;
  near->index[near->count++] = j;
}

static void search(Grid *grid, int i, int cell) {
  Point *p = grid->points;
  for (int j = grid->heads[cell]; j >= 0; j = p[j].next)
    if (j > i)
      add_near(&grid->near[i], j, (p[i].at[0] - p[j].at[0]) * (p[i].at[1] - p[j].at[1]));
}

static void find_near(Grid *grid) {
  for (int i = 0; i < CELLS * CELLS; i++)
    grid->heads[i] = -1;
  for (int i = 0; i < POINTS; i++) {
    int cell = cell_of(grid->points[i].at[0]) + CELLS * cell_of(grid->points[i].at[1]);
    grid->points[i].next = grid->heads[cell];
    grid->heads[cell] = i;
  }
  for (int i = 0; i < POINTS; i++) {
    int column = cell_of(grid->points[i].at[0]), row = cell_of(grid->points[i].at[1]);
    grid->near[i].count = 0;
    for (int u = column - 1; u <= column + 1; u++)
      for (int v = row - 1; v <= row + 1; v++)
        if (u >= 0 && v >= 0 && u < CELLS && v < CELLS)
          search(grid, i, u + CELLS * v);
  }
}

SUM(neighbours_by_cells, 8, 0.11, 0.13, 0.52, 0.21, 0.91, 0.15, 0.18, 0.57) {
  Grid grid = {(Point *)calloc(POINTS, sizeof(Point)), {0}, (Near *)calloc(POINTS, sizeof(Near))};
  real sum = 0;
  for (int i = 0; i < n; i++)
    grid.points[i / 2].at[i % 2] = x[i];
  for (int step = 0; step < 2; step++) {
    find_near(&grid);
    for (int i = 0; i < POINTS; i++)
      for (int k = 0; k < grid.near[i].count; k++)
        sum += grid.near[i].distance[k] * grid.points[grid.near[i].index[k]].at[0];
  }
  for (int i = 0; i < POINTS; i++) {
    free(grid.near[i].index);
    free(grid.near[i].distance);
  }
  free(grid.near);
  free(grid.points);
  return sum;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Checkpointed loops in which a sanitizer says what is wrong and goes on. */
// load: -fplugin
// differences: none
// split: none
// lto: none
// flags: -fsanitize=undefined
#include "cases.h"
#include "loops_of_steps.h"

/* Indices that are watched for overflow, of a grid. */
NOINLINE static void smooth(int64_t i, real *x, int rows, int columns) {
  for (int r = 1; r < rows; r++)
    for (int c = 1; c < columns; c++)
      x[r * columns + c] +=
          (real)0.25 * sin(x[(r - 1) * columns + c] * x[r * columns + c - 1]) * (real)(int)i;
}
MAP(a_grid, 6, 1, 0.5, -1.0, 2.0, 0.25, 1.5, -0.5) {
  LOOP(smooth, 7, 2, x, n / 3, 3);
  y[0] = x[1] * x[2] + x[4] * x[5];
}

/* Each step writes elsewhere. */
NOINLINE static void record(int64_t i, real *path, real *x) {
  real next = x[0] + x[1] * path[i];
  x[1] = sin(x[0]) * x[1];
  x[0] = next;
  path[i + 1] = x[0] * x[1];
}
MAP(a_path, 2, 9, 0.5, 0.75) {
  LOOP(record, 8, 2, y, x);
  x[0] += y[8] * y[3];
}

/* --- Loops that are marked --- */

/* The condition itself is watched, of the inner and of the outer loop. */
MAP(sums_in_conditions, 3, 1, 0.5, -1.0, 2.0) {
  for (int i = 0; i < n + 2; i++) {
    MARK(2);
    for (int j = i; j < i + 4; j++) {
      MARK(1);
      for (int k = 0; k < n - 1; k++)
        x[k] += (real)0.125 * sin(x[k] * x[2] + (real)0.5 * (real)j);
    }
    x[0] *= x[1];
  }
  y[0] = x[0] * x[1] + x[2];
}
MAP(until_the_state_says_so, 2, 1, 3.0, 0.5) {
  int steps = 0;
  while (VALUE(x[0] * x[0]) > 0.25) {
    MARK(3);
    x[1] = x[1] * (real)0.75 + (real)0.125 * x[0];
    x[0] = x[0] * (real)0.875 + (real)0.0625 * sin(x[1]);
    steps++;
  }
  y[0] = x[0] + x[1] * (real)steps;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that read neighbours of an array, or the same elements again and again, before these are
 * overwritten: what the reverse sweep reads of them is copied as a whole. Each array is as long as
 * what is read of it. */
#include "cases.h"

static real *copy_of(int n, const real *x) {
  real *copy = (real *)malloc(sizeof(real) * (size_t)(n > 0 ? n : 1));
  for (int i = 0; i < n; i++)
    copy[i] = x[i];
  return copy;
}

static real total(int n, const real *x) {
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * (1 + i);
  return sum;
}

SUM(a_line, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), *next = copy_of(n, x);
  for (int t = 0; t < 3; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = u[i - 1] * u[i] * u[i + 1] + u[i];
    for (int i = 0; i < n; i++)
      u[i] = next[i] * next[i];
  }
  real sum = total(n, u);
  free(u);
  free(next);
  return sum;
}

SUM(a_line_downwards, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), *next = copy_of(n, x);
  for (int t = 0; t < 3; t++) {
    for (int i = n - 2; i > 0; i--)
      next[i] = u[i - 1] * u[i] * u[i + 1] + u[i];
    for (int i = n - 1; i >= 0; i--)
      u[i] = next[i] * next[i];
  }
  real sum = total(n, u);
  free(u);
  free(next);
  return sum;
}

static void plane_step(int rows, int columns, const real *u, real *next) {
  for (int i = 0; i < rows - 1; i++)
    for (int j = 0; j < columns - 1; j++) {
      int at = i * columns + j;
      next[at] = u[at] * u[at + 1] + sin(u[at]) * u[at + columns];
    }
}

static real plane(int rows, int columns, const real *x) {
  real *u = copy_of(rows * columns, x), *next = copy_of(rows * columns, x);
  for (int t = 0; t < 3; t++) {
    plane_step(rows, columns, u, next);
    for (int i = 0; i < rows * columns; i++)
      u[i] = 0.5 * u[i] + next[i];
  }
  real sum = total(rows * columns, u);
  free(u);
  free(next);
  return sum;
}
SUM(a_plane, 12, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2) {
  return plane(3, n / 3, x) + plane(n / 6, 6, x) + plane(1, n, x) + plane(n, 1, x);
}

SUM(a_plane_by_columns, 12, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2) {
  int rows = 3, columns = n / 3;
  real *u = copy_of(n, x), *next = copy_of(n, x);
  for (int t = 0; t < 2; t++) {
    for (int j = 0; j < columns - 1; j++)
      for (int i = 0; i < rows - 1; i++) {
        int at = i * columns + j;
        next[at] = u[at] * u[at + 1] * u[at + columns];
      }
    for (int i = 0; i < n; i++)
      u[i] += next[i];
  }
  real sum = total(n, u);
  free(u);
  free(next);
  return sum;
}

static real again(int n, int m, const real *x) {
  real *u = copy_of(m, x), *sums = copy_of(n, x);
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        sums[i] += sin(u[j] * sums[i]);
    for (int j = 0; j < m; j++)
      u[j] = u[j] * sums[j % n];
  }
  real sum = total(n, sums) + total(m, u);
  free(u);
  free(sums);
  return sum;
}
SUM(the_same_again_and_again, 4, 0.1, 0.2, 0.3, 0.4) {
  return again(n, n - 1, x) + again(2, n, x) + again(n, 0, x) + again(n, n - n / 4 * 4, x);
}

SUM(a_space, 24, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 0.1, 0.2, 0.3, 0.4,
    0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2) {
  int rows = 2, columns = 3, layers = n / 6;
  real *u = copy_of(n, x), *next = copy_of(n, x);
  for (int t = 0; t < 2; t++) {
    for (int k = 0; k < layers - 1; k++)
      for (int i = 0; i < rows - 1; i++)
        for (int j = 0; j < columns - 1; j++) {
          int at = (k * rows + i) * columns + j;
          next[at] = u[at] * u[at + 1] * u[at + columns] * u[at + rows * columns];
        }
    for (int i = 0; i < n; i++)
      u[i] += next[i];
  }
  real sum = total(n, u);
  free(u);
  free(next);
  return sum;
}

SUM(under_a_condition, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), *next = copy_of(n, x);
  for (int t = 0; t < 3; t++) {
    if (t != 1)
      for (int i = 1; i < n - 1; i++)
        next[i] = u[i - 1] * u[i + 1] + (u[i] > 0.25 ? u[i] * u[i] : u[i - 1]);
    for (int i = 0; i < n; i++)
      u[i] = next[i];
  }
  real sum = total(n, u);
  free(u);
  free(next);
  return sum;
}

SUM(in_an_array_of_the_stack, 5, 0.1, 0.2, 0.3, 0.4, 0.5) {
  real sum = 0;
  for (int t = 0; t < 3; t++) {
    real u[5];
    for (int i = 0; i < n; i++)
      u[i] = x[i] + t * sum;
    for (int i = 0; i < n - 1; i++)
      sum += u[i] * u[i + 1] * sin(u[i]);
    for (int i = 0; i < n; i++)
      u[i] = 0;
    sum += u[1];
  }
  return sum;
}

/* What a loop carries is loaded again where it still stands there: the next three, and not in the
 * three after them. */
SUM(carried_downwards, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real sum = 0, last = x[n - 1];
  for (int i = n - 2; i >= 0; i--) {
    real here = x[i];
    sum += sin(last) * here * (1 + i);
    last = here;
  }
  return sum;
}

SUM(carried_twice, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real sum = 0, first = x[0], second = x[1];
  for (int i = 2; i < n; i++) {
    real third = x[i];
    sum += sin(first) * exp(second) * third;
    first = second;
    second = third;
  }
  return sum;
}

SUM(carried_row_by_row, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real sum = 0, above = x[0] * x[0];
  for (int i = 0; i < n - 1; i++) {
    real last = x[i];
    for (int j = i + 1; j < n; j++) {
      real here = x[j];
      sum += sin(last) * here * above;
      last = here;
    }
    above = last * x[i];
  }
  return sum;
}

SUM(carried_from_before, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), sum = 0, last = u[0];
  u[0] = 7;
  for (int i = 1; i < n; i++) {
    real here = u[i];
    sum += last * here * here;
    last = here;
  }
  sum += u[0] * u[1];
  free(u);
  return sum;
}

SUM(carried_and_overwritten, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), last = u[0];
  for (int i = 1; i < n; i++) {
    real here = u[i];
    u[i] = last * here + here * here;
    last = here;
  }
  real sum = total(n, u);
  free(u);
  return sum;
}

SUM(carried_from_elsewhere, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), sum = 0, last = u[n - 1];
  for (int i = 1; i < n; i++) {
    real here = u[i];
    sum += last * last * here;
    last = here;
  }
  free(u);
  return sum;
}

SUM(carried_from_a_constant, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real sum = 0, before = x[0], last = 5;
  for (int i = 2; i < n; i++) {
    sum += before * before * x[i];
    before = last;
    last = x[i];
  }
  return sum;
}

/* What several loops in a row read of an object is copied once, as a whole: the next three, and not
 * where it is written in between, as in those after them. */
SUM(loops_in_a_row, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), sum = 0;
  for (int t = 0; t < 3; t++) {
    real gathered = 0, squares = 0;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i; k++)
        gathered += u[(i * 5 + k) % n] * u[(k * t) % n];
    for (int i = n - 1; i >= 0; i--)
      squares += u[i] * u[i];
    for (int i = 0; i < n; i++)
      u[i] = sin(u[i]) * (1 + i + t) + 0.1 * gathered;
    sum += gathered * squares;
  }
  sum += total(n, u);
  free(u);
  return sum;
}

SUM(loops_in_a_row_alone, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), sum = 0, squares = 0;
  for (int i = 0; i < n; i++)
    sum += u[i] * u[n - 1 - i] * u[i];
  for (int i = 0; i < n; i++)
    squares += u[i] * u[i];
  for (int i = 0; i < n; i++)
    u[i] = 0;
  sum += squares * sum + u[1];
  free(u);
  return sum;
}

SUM(loops_over_fresh_memory, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real sum = 0;
  for (int t = 0; t < 3; t++) {
    real *u = copy_of(n, x), squares = 0;
    for (int i = 0; i < n; i++)
      sum += u[i] * u[(i * 2 + t) % n];
    for (int i = 0; i < n; i++)
      squares += u[i] * u[i] * (1 + t);
    for (int i = 0; i < n; i++)
      u[i] = u[i] * u[i] * squares;
    sum += u[t] * squares;
    free(u);
  }
  return sum;
}

SUM(written_between_loops, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), sum = 0;
  for (int t = 0; t < 3; t++) {
    real gathered = 0, squares = 0;
    for (int i = 0; i < n; i++)
      gathered += u[i] * u[(i * 5 + t) % n];
    if (t != 1)
      u[t] = gathered * gathered;
    for (int i = 0; i < n; i++)
      squares += u[i] * u[i];
    for (int i = 0; i < n; i++)
      u[i] = sin(u[i]) * squares;
    sum += gathered * squares;
  }
  sum += total(n, u);
  free(u);
  return sum;
}

SUM(written_ahead, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), sum = 0;
  for (int t = 0; t < 3; t++) {
    real squares = 0;
    for (int i = 0; i < n; i++)
      squares += u[i] * u[i];
    for (int i = 0; i < n - 1; i++) {
      sum += u[i] * u[i];
      u[i + 1] = sin(u[i]) * squares;
    }
    for (int i = 0; i < n; i++) {
      u[i] += 0.1 * squares;
      sum += u[i] * u[i] * u[i];
    }
  }
  sum += total(n, u);
  free(u);
  return sum;
}

SUM(written_in_some_iterations, 6, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6) {
  real *u = copy_of(n, x), sum = 0;
  for (int t = 0; t < 4; t++) {
    if (t % 2 == 0)
      for (int i = 0; i < n; i++)
        sum += u[i] * u[i] * (1 + t);
    else
      for (int i = 0; i < n; i++)
        u[i] *= sum;
    for (int i = 0; i < n; i++)
      sum += 0.01 * u[i] * u[i];
  }
  free(u);
  return sum;
}

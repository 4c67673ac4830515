// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arrays of the function's own. In several directions at once their shadows lie side by side where
 * all that is done with them is seen, and apart from each other elsewhere. */
#include "cases.h"

typedef struct {
  real x, y, z;
} Point;
typedef struct {
  real value;
  int count;
} Counted;

MAP(variable_length, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real *squares = (real *)malloc(sizeof(real) * (size_t)n);
  for (int i = 0; i < n; i++)
    squares[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    y[i] = squares[(i + 1) % n] * squares[i];
  free(squares);
}

MAP(zeroed, 3, 3, 1.0, -2.0, 0.5) {
  real *sums = (real *)calloc((size_t)n, sizeof(real));
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < n; i++)
      sums[i] += x[(i + round) % n] * x[i];
  for (int i = 0; i < n; i++)
    y[i] = sums[i];
  free(sums);
}

/* Indices that are not constants keep the array in memory. */
MAP(in_the_frame, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real window[8];
  for (int i = 0; i < n; i++)
    window[(3 * i) % 8] = x[i] * x[0];
  for (int i = 0; i < n; i++)
    y[i] = window[(3 * i) % 8] * x[i];
}

MAP(matrix_of_rows, 3, 3, 1.0, -2.0, 0.5) {
  real rows[3][4];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      rows[i][j] = x[i] * x[j % n] + j;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < 4; j++)
      y[i] += rows[(i + j) % n][j] * x[i];
  }
}

MAP(points, 3, 3, 1.0, -2.0, 0.5) {
  Point *points = (Point *)malloc(sizeof(Point) * (size_t)n);
  for (int i = 0; i < n; i++) {
    points[i].x = x[i];
    points[i].y = x[i] * x[i];
    points[i].z = x[(i + 1) % n];
  }
  for (int i = 0; i < n; i++) {
    const Point *p = points + (i + 2) % n;
    y[i] = p->x * p->y + p->z;
  }
  free(points);
}

/* Integers lie between the numbers. */
MAP(counted, 3, 3, 1.0, -2.0, 0.5) {
  Counted counts[4];
  for (int i = 0; i < n; i++) {
    counts[i % 4].value = x[i] * x[i];
    counts[i % 4].count = i + 1;
  }
  for (int i = 0; i < n; i++)
    y[i] = counts[(i + 1) % n].value * (real)counts[i].count;
}

MAP(copied, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real first[6], second[6];
  for (int i = 0; i < n; i++)
    first[(5 * i) % 6] = x[i] * x[i];
  for (int i = n; i < 6; i++)
    first[(5 * i) % 6] = 1;
  memcpy(second, first, sizeof(first));
  memset(first, 0, 2 * sizeof(real));
  memmove(second + 1, second, 3 * sizeof(real));
  for (int i = 0; i < n; i++)
    y[i] = second[i] * x[i] + first[i];
}

/* As long as only the run tells. */
MAP(copied_in_part, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real *first = (real *)calloc(8, sizeof(real));
  real *second = (real *)malloc(8 * sizeof(real));
  for (int i = 0; i < 8; i++)
    first[i] = x[i % n] * (real)i;
  memset(second, 0, 8 * sizeof(real));
  memcpy(second + n / 2, first + 1, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    y[i] = second[i] * x[i];
  free(first);
  free(second);
}

MAP(copied_from_outside, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real here[8];
  memcpy(here, x, (size_t)n * sizeof(real));
  for (int i = 0; i < n; i++)
    here[i] *= here[(i + 1) % n];
  memcpy(y, here, (size_t)n * sizeof(real));
}

MAP(of_constants, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  static const double weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  real here[8];
  for (int i = 0; i < 8; i++)
    here[i] = weights[i];
  for (int i = 0; i < n; i++)
    here[(3 * i) % 8] *= x[i];
  for (int i = 0; i < n; i++)
    y[i] = here[i] * x[i] + here[i + 4];
}

/* One of two arrays, or one and the caller's. */
MAP(chosen, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real first[4], second[4];
  for (int i = 0; i < n; i++) {
    first[i] = x[i] * x[i];
    second[i] = 3 * x[i];
  }
  for (int i = 0; i < n; i++) {
    real *from = VALUE(x[i]) > 0 ? first : second;
    const real *other = i % 2 ? x : second;
    from[(i + 1) % n] += other[i];
    y[i] = from[i] * other[(i + 2) % n];
  }
}

MAP(two_in_turn, 3, 3, 1.0, -2.0, 0.5) {
  real *old = (real *)malloc(sizeof(real) * (size_t)n);
  real *now = (real *)malloc(sizeof(real) * (size_t)n);
  for (int i = 0; i < n; i++)
    old[i] = x[i];
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < n; i++)
      now[i] = old[i] * old[(i + 1) % n];
    real *swapped = old;
    old = now;
    now = swapped;
  }
  for (int i = 0; i < n; i++)
    y[i] = old[i];
  free(old);
  free(now);
}

/* A pointer walks over the array. */
SUM(walked, 4, 1.0, -2.0, 0.5, 3.0) {
  real *list = (real *)malloc(sizeof(real) * (size_t)n);
  real *end = list + n, sum = 0;
  int i = 0;
  for (real *at = list; at != end; at++)
    *at = x[i++] * x[0];
  for (real *at = end; at > list;)
    sum = sum * 0.5 + *--at;
  free(list);
  return sum;
}

typedef struct {
  real *data;
  int size;
} Holder;

static NOINLINE real total_of(const Holder *holder) {
  real sum = 0;
  for (int i = 0; i < holder->size; i++)
    sum += holder->data[i] * holder->data[i];
  return sum;
}

SUM(held, 4, 1.0, -2.0, 0.5, 3.0) {
  Holder holder = {(real *)malloc(sizeof(real) * (size_t)n), n};
  for (int i = 0; i < n; i++)
    holder.data[i] = x[i] * x[(i + 1) % n];
  real total = total_of(&holder);
  free(holder.data);
  return total;
}

static void rotate(const real *from, real *to, int by) {
  for (int i = 0; i < 4; i++)
    to[(i + by) % 4] = from[i] * from[(i + 1) % 4];
}
static NOINLINE void rotate_outside(const real *from, real *to, int by) {
  for (int i = 0; i < 4; i++)
    to[(i + by) % 4] = from[i] * from[(i + 1) % 4];
}

MAP(passed_on, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real first[4], second[4], third[4];
  rotate(x, first, n - 3);
  rotate(first, second, n - 2);
  rotate(second, third, n - 3);
  for (int i = 0; i < 4; i++)
    y[i] = first[i] + second[i] * third[i];
}

MAP(passed_outside, 4, 4, 1.0, -2.0, 0.5, 3.0) {
  real first[4], second[4];
  rotate_outside(x, first, n - 3);
  rotate_outside(first, second, n - 2);
  for (int i = 0; i < 4; i++)
    y[i] = first[i] + second[i];
}

/* Anew in each iteration. */
SUM(in_a_loop, 3, 1.0, -2.0, 0.5) {
  real sum = 0;
  for (int i = 0; i < n; i++) {
    real *part = (real *)malloc(sizeof(real) * (size_t)(i + 1));
    real square[2][2];
    for (int j = 0; j <= i; j++) {
      part[j] = x[j] * x[i];
      square[j % 2][i % 2] = x[j];
    }
    for (int j = 0; j <= i; j++)
      sum += part[j] * square[j % 2][i % 2];
    free(part);
  }
  return sum;
}

/* Numbers of another format beside them. */
MAP(shorter, 3, 3, 1.0, -2.0, 0.5) {
  single *rounded = (single *)malloc(sizeof(single) * 4);
  for (int i = 0; i < n; i++)
    rounded[i] = (single)i;
  real here[4];
  for (int i = 0; i < n; i++)
    here[(i + 1) % 4] = x[i] * (real)rounded[i];
  for (int i = 0; i < n; i++)
    y[i] = here[(i + 1) % 4] * x[i];
  free(rounded);
}

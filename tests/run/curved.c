// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode of reverse mode, where the tape is a stack of records or of rows: beside numbers it
 * holds indices and pointers, and only the run tells how many of each. */
// reals: double
// differences: none
#include "curved.h"
#include "cases.h"

static double walk(double *x) {
  double a[SIZE], sum = 0;
  for (int i = 0; i < SIZE; i++)
    a[i] = x[i] * x[i];
  for (int k = 0; k < SIZE; k++) {
    for (int i = k; i >= 0; i -= 1 + (a[i] > 0.3)) {
      sum += a[i] * a[i];
      a[i] = sum * 0.1;
    }
  }
  return sum;
}
CURVED(walk)
CHECK(walk_twice) { compare(walk_gradient, walk_directed); }

static double rows(double *x) {
  double sum = x[0];
  for (int k = 1; k <= SIZE; k++) {
    double *row = malloc((size_t)k * sizeof *row);
    for (int i = 0; i < k; i++)
      row[i] = sin(sum + x[i]);
    for (int i = 0; i < k; i++)
      sum += row[i] * row[k - 1 - i];
    free(row);
  }
  return sum;
}
CURVED(rows)
CHECK(rows_twice) { compare(rows_gradient, rows_directed); }

static NOINLINE void shift(double *a, int to, int from, int count) {
  memmove(a + to, a + from, (size_t)count * sizeof *a);
}

static double moved(double *x) {
  enum { CELLS = 16 };
  double *a = malloc(CELLS * sizeof *a), sum = 1;
  for (int i = 0; i < CELLS; i++)
    a[i] = cos(x[i % SIZE] + i);
  for (int k = 0; k < 6; k++) {
    int to = (k * 5) % 7, from = (k * 3) % 6;
    shift(a, to, from, 4 + k % 5);
    a[to] += a[from] * x[k % SIZE];
  }
  for (int i = 0; i < CELLS; i++)
    sum += a[i] * a[(i * 3) % CELLS];
  free(a);
  return sum;
}
CURVED(moved)
CHECK(moved_twice) { compare(moved_gradient, moved_directed); }

/* Recursion over nodes: each call's tape holds a pointer to that of the next. */
typedef struct Part {
  struct Part *next;
  double *numbers;
  int count;
} Part;

static NOINLINE double folded(const Part *part) {
  if (!part)
    return 1;
  double sum = 0;
  for (int i = 0; i < part->count; i++)
    sum += part->numbers[i] * part->numbers[i];
  return sum * folded(part->next) + part->numbers[0];
}

static double chain(double *x) {
  double own[3] = {x[0] * x[1], x[1] * x[2], x[2] * x[3]};
  Part last = {NULL, x + 1, 2};
  Part middle = {&last, own, 3};
  Part first = {&middle, x, SIZE};
  return folded(&first);
}
CURVED(chain)
CHECK(chain_twice) { compare(chain_gradient, chain_directed); }

typedef struct Tree {
  struct Tree *child[2];
  double weights[3];
  double *use;
} Tree;

static double measure(const Tree *tree) {
  if (!tree)
    return 1;
  double s = *tree->use * tree->weights[0] + tree->weights[1] * tree->weights[2];
  return s + 0.1 * measure(tree->child[0]) * measure(tree->child[1]);
}

static double tree(double *x) {
  Tree nodes[7];
  memset(nodes, 0, sizeof nodes);
  for (int k = 0; k < 7; k++) {
    for (int i = 0; i < 3; i++)
      nodes[k].weights[i] = x[(k + i) % 4] * x[i];
    nodes[k].use = k & 1 ? &x[k % 4] : &nodes[k].weights[k % 3];
    for (int i = 0; i < 2 && k < 3; i++)
      nodes[k].child[i] = &nodes[2 * k + 1 + i];
  }
  return measure(nodes);
}
CURVED(tree)
CHECK(tree_twice) { compare(tree_gradient, tree_directed); }

/* Recursion over parts of an array, by pointers to their ends: how far these lie apart is kept for
 * the reverse sweep. */
static NOINLINE void halve(double *begin, double *end) {
  if (end - begin < 2)
    return;
  double *middle = begin + (end - begin) / 2;
  while (end - middle > 1) {
    end--;
    double t = *middle;
    *middle = *end * t;
    *end = t;
    if (t > 0.5)
      halve(middle, end);
  }
  halve(begin, middle);
}

static double halves(double *x) {
  double a[9], sum = 0;
  for (int i = 0; i < 9; i++)
    a[i] = x[i % SIZE] * x[i % 3] + 0.1 * i;
  halve(a, a + 9);
  for (int i = 0; i < 9; i++)
    sum += a[i] * a[i];
  return sum;
}
CURVED(halves)
CHECK(halves_twice) { compare(halves_gradient, halves_directed); }

/* A matrix by value, in calls from a loop: its rows of tapes hold pointers between numbers. */
typedef struct Matrix {
  int size;
  double *entries;
} Matrix;

static Matrix minor_of(Matrix a, int column) {
  Matrix m = {a.size - 1, malloc((size_t)(a.size - 1) * (size_t)(a.size - 1) * sizeof(double))};
  int k = 0;
  for (int i = 1; i < a.size; i++)
    for (int j = 0; j < a.size; j++)
      if (j != column)
        m.entries[k++] = a.entries[i * a.size + j];
  return m;
}

static double determinant_of(Matrix a) {
  if (a.size == 1)
    return a.entries[0];
  double sum = 0;
  for (int j = 0; j < a.size; j++) {
    Matrix m = minor_of(a, j);
    sum += (j & 1 ? -1 : 1) * a.entries[j] * determinant_of(m);
    free(m.entries);
  }
  return sum;
}

static double determinant(double *x) {
  double entries[9];
  for (int k = 0; k < 9; k++)
    entries[k] = x[k % SIZE] * x[k % 3] + k % 5;
  Matrix a = {3, entries};
  return determinant_of(a);
}
CURVED(determinant)
CHECK(determinant_twice) { compare(determinant_gradient, determinant_directed); }

/* Integers over numbers, and the whole moved: what is no number any more has no adjoint. */
typedef union {
  double number;
  struct {
    int first, second;
  } pair;
} Cell;

static double cells(double *x) {
  double sum = x[3] * x[2];
  for (int turn = 0; turn < 3; turn++) {
    Cell cell[4];
    int kind[4];
    for (int i = 0; i < 4; i++) {
      kind[i] = x[1] < 0 ? i % 2 : 0;
      if (kind[i] == 0)
        cell[i].number = sin(x[i] * sum);
      else {
        cell[i].pair.first = i;
        cell[i].pair.second = turn - i;
      }
    }
    memmove(cell, cell + 1, 3 * sizeof *cell);
    memmove(kind, kind + 1, 3 * sizeof *kind);
    for (int i = 0; i < 4; i++)
      sum += kind[i] == 0 ? cell[i].number * x[0] : 0.01 * cell[i].pair.second;
  }
  return sum;
}
CURVED(cells)
CHECK(cells_twice) { compare(cells_gradient, cells_directed); }

/* A struct by value, which counts what it points to. */
typedef struct {
  double *to;
  const double *from;
  int count;
} View;

static NOINLINE void reversed(View view) {
  for (int i = 0; i < view.count; i++)
    view.to[i] = tanh(view.from[view.count - 1 - i]);
}

static double viewed(double *x) {
  double a[SIZE], sum = 0;
  View view = {a, x, SIZE};
  view.count -= x[0] < 0;
  for (int k = 0; k < 3; k++) {
    reversed(view);
    view.from = a;
    view.to = a;
    sum += a[k] * a[k];
  }
  return sum;
}
CURVED(viewed)
CHECK(viewed_twice) { compare(viewed_gradient, viewed_directed); }

/* A global that points into what the derivative's caller does not know. */
static double *cursor;

static NOINLINE double advance(double t) {
  *cursor = sin(*cursor * t);
  return *cursor++ * 0.5;
}

static double walked(double *x) {
  double a[SIZE], sum = 1;
  for (int i = 0; i < SIZE; i++)
    a[i] = x[i] * x[i];
  if (x[0] > 0.1) {
    cursor = a;
    for (int i = 0; i < SIZE; i++)
      sum += advance(x[i] + sum);
    cursor = NULL;
  }
  return sum * a[1] + a[2] * a[0];
}
CURVED(walked)
CHECK(walked_twice) { compare(walked_gradient, walked_directed); }

/* Arrays of a callee's beside what its tape points to, at indices that the data say. */
typedef struct {
  double weight;
  int next;
} Step;

static NOINLINE double shuffled(const double *x, int count) {
  Step steps[3] = {{x[1], 1}, {cos(x[2]), 2}, {x[2] * x[0], 0}};
  double sum = 0;
  const Step *step = steps;
  for (int k = 0; k < count; k += 1 + (steps[k % 3].weight > 0.9)) {
    double *row = malloc((size_t)(count + k) * sizeof *row);
    steps[k % 3] = *step;
    for (int i = 0; i < count + k; i++)
      row[i] = sin(step->weight + (i ? row[i - 1] : x[3]));
    step = &steps[step->next];
    sum += row[count - 1] * step->weight;
    steps[(k + 1) % 3].weight *= sum;
    free(row);
  }
  return sum;
}

static double shuffle(double *x) { return shuffled(x, 3) * x[3]; }
CURVED(shuffle)
CHECK(shuffle_twice) { compare(shuffle_gradient, shuffle_directed); }

/* A struct of numbers and an integer, passed by value and given back. */
typedef struct {
  double v[5];
  int count;
} Wide;

static NOINLINE Wide spread(Wide w, double t) {
  for (int i = w.count; i > 0; i--)
    w.v[i] = tanh(w.v[i - 1] * t);
  w.v[0] = t;
  w.count -= t <= -0.486;
  return w;
}

static double spreading(double *x) {
  double sum = 0;
  for (int k = 1; k < SIZE; k *= 2) {
    Wide w = {{x[0], -0.245, sin(x[1] * x[2]), 0, 0.5}, 4};
    for (int i = 0; i < 3; i++)
      w = spread(w, x[3] + sum);
    sum += w.v[w.count] + 0.5 * w.v[1];
  }
  return sum * x[1];
}
CURVED(spreading)
CHECK(spreading_twice) { compare(spreading_gradient, spreading_directed); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Structures with pointers, and numbers as integers, as results. */
// reals: double
#define NB_AT_ONCE
#include "cases.h"

#include <stdint.h>

typedef struct {
  real *data;
  int rows, columns;
} Matrix;

static NOINLINE Matrix matrix_new(int rows, int columns) {
  Matrix m;
  m.data = (real *)calloc((size_t)(rows * columns), sizeof(real));
  m.rows = rows;
  m.columns = columns;
  return m;
}

static NOINLINE Matrix matrix_product(const Matrix *a, const Matrix *b) {
  Matrix c = matrix_new(a->rows, b->columns);
  for (int i = 0; i < c.rows; i++)
    for (int j = 0; j < c.columns; j++)
      for (int k = 0; k < a->columns; k++)
        c.data[i * c.columns + j] += a->data[i * a->columns + k] * b->data[k * b->columns + j];
  return c;
}

SUM(matrices_returned_by_value, 4, 0.5, 2.0, 3.0, 0.25) {
  Matrix a = matrix_new(2, 2);
  for (int i = 0; i < n; i++)
    a.data[i] = x[i];
  Matrix b = matrix_product(&a, &a);
  Matrix c = matrix_product(&b, &a);
  real r = c.data[0] * c.data[3] + b.data[1];
  free(a.data);
  free(b.data);
  free(c.data);
  return r;
}

typedef struct {
  real *first;
  const real *second;
} Both;

static NOINLINE Both both_of(real *a, const real *b, int shift) {
  Both both = {a + shift, b + shift};
  return both;
}

FIXED(two_pointers_returned, 3, 3, 0.1, 0.2, 0.3, 0.5, 0.25, 0.75) {
  Both b = both_of(y, x, n - 2);
  y[0] = b.first[0] * b.second[1] * b.first[1];
}

typedef union {
  real number;
  int64_t integer;
} Word;

static NOINLINE Word word_of(real x) {
  Word w;
  w.number = x * x;
  return w;
}

SCALAR2(union_returned, 1.0, 2.0) {
  Word a = word_of(x);
  Word b = word_of(a.number * y);
  Word c = a;
  c = VALUE(x) > 0 ? b : c;
  return c.number * a.number;
}

/* What is returned lies in memory that tells nothing but what is stored there. */
typedef struct Item {
  real key;
  int id;
} Item;

typedef struct Queue {
  Item items[8];
  int count;
} Queue;

static Item take_first(Queue *q) {
  Item first = q->items[0];
  q->items[0] = q->items[--q->count];
  return first;
}

SUM(items_returned_from_memory, 4, 1.5, -0.5, 2.0, 0.25) {
  Queue q;
  q.count = 0;
  for (int i = 0; i < n; i++) {
    q.items[q.count].key = x[i] * x[i] * x[0];
    q.items[q.count++].id = i + 1;
  }
  real sum = 0;
  while (q.count) {
    Item item = take_first(&q);
    sum += item.key * item.id;
  }
  return sum;
}

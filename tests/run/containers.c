// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Containers as C programs write them: of elements of any type, and of several arrays. */
#include "cases.h"

#include <stdint.h>

/* --- A vector of elements of any size, read through a function that finds one. --- */

typedef struct {
  void *data;
  size_t count, capacity, width;
} Vector;

static void append(Vector *v, const void *element) {
  if (v->count == v->capacity) {
    v->capacity = v->capacity ? v->capacity * 2 : 2;
    v->data = realloc(v->data, v->capacity * v->width);
  }
  memcpy((char *)v->data + v->count * v->width, element, v->width);
  v->count++;
}

static void *element_at(const Vector *v, size_t i) { return (char *)v->data + i * v->width; }

SUM(elements_of_any_type, 5, 0.3, 1.2, -0.4, 0.8, 0.5) {
  Vector v = {NULL, 0, 0, sizeof(real)};
  real sum = 0;
  for (int i = 0; i < n; i++) {
    real square = x[i] * x[i];
    append(&v, &square);
  }
  for (size_t i = 0; i < v.count; i++)
    sum += *(real *)element_at(&v, i) * x[(i + 1) % v.count];
  free(v.data);
  return sum;
}

/* Two vectors of different elements, grown by copying. How many there are is known only to what
 * reads them. */
static void append_to_copy(Vector *v, const void *element) {
  if (v->count == v->capacity) {
    size_t capacity = v->capacity ? v->capacity * 2 : 2;
    char *data = (char *)malloc(capacity * v->width);
    if (v->data)
      memcpy(data, v->data, v->count * v->width);
    free(v->data);
    v->data = data;
    v->capacity = capacity;
  }
  memcpy((char *)v->data + v->count * v->width, element, v->width);
  v->count++;
}

typedef struct {
  int id;
  real weight, slope;
} Sample;

SUM(elements_of_two_types, 5, 0.3, 1.2, -0.4, 0.8, 0.5) {
  Vector numbers = {NULL, 0, 0, sizeof(real)}, samples = {NULL, 0, 0, sizeof(Sample)};
  for (int i = 0; i < 5; i++) {
    real square = x[i] * x[i];
    Sample sample = {i, square * x[0], x[4] - square};
    append_to_copy(&numbers, &square);
    append_to_copy(&samples, &sample);
  }
  real sum = 0;
  for (size_t i = 0; i < 5; i++) {
    const Sample *sample = (const Sample *)element_at(&samples, i);
    sum += *(real *)element_at(&numbers, i) * sample->weight * (real)(sample->id + n);
    sum += sample->slope * sample->weight;
  }
  free(numbers.data);
  free(samples.data);
  return sum;
}

/* --- Sorting elements of any size by a function that compares two. --- */

static void sort_elements(void *base, size_t count, size_t width,
                          int (*compare)(const void *, const void *)) {
  char *bytes = (char *)base, spare[64];
  for (size_t i = 1; i < count; i++) {
    size_t at = i;
    memcpy(spare, bytes + i * width, width);
    for (; at > 0 && compare(bytes + (at - 1) * width, spare) > 0; at--)
      memcpy(bytes + at * width, bytes + (at - 1) * width, width);
    memcpy(bytes + at * width, spare, width);
  }
}

static int compare_numbers(const void *a, const void *b) {
  real x = *(const real *)a, y = *(const real *)b;
  return x < y ? -1 : x > y;
}

MAP(numbers_sorted_by_a_comparison, 5, 5, 0.3, 1.2, -0.4, 0.8, 0.5) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] * x[i] - x[i];
  sort_elements(y, (size_t)n, sizeof(real), compare_numbers);
  for (int i = 0; i < n; i++)
    y[i] *= x[i];
}

typedef struct {
  real key;
  int place;
  real weight;
} Entry;

static int compare_entries(const void *a, const void *b) {
  real x = ((const Entry *)a)->key, y = ((const Entry *)b)->key;
  return x < y ? -1 : x > y;
}

MAP(entries_sorted_by_a_comparison, 5, 5, 0.3, 1.2, -0.4, 0.8, 0.5) {
  Entry entries[5];
  for (int i = 0; i < n; i++) {
    Entry entry = {x[i] * x[i] - x[i], i, 2 * x[i]};
    entries[i] = entry;
  }
  sort_elements(entries, (size_t)n, sizeof(Entry), compare_entries);
  for (int i = 0; i < n; i++)
    y[i] = entries[i].key * entries[i].weight * (real)(entries[i].place + 1);
}

/* --- A sparse matrix by value, whose counts are kept in it while it is made. --- */

typedef struct {
  int rows, entries;
  long filled;
  int *first, *column;
  real *value;
} Matrix;

static Matrix make_matrix(int n, const real *x) {
  Matrix m = {n, 0, 0, NULL, NULL, NULL};
  m.first = (int *)malloc((size_t)(n + 1) * sizeof *m.first);
  m.column = (int *)malloc((size_t)(n * n) * sizeof *m.column);
  m.value = (real *)malloc((size_t)(n * n) * sizeof *m.value);
  for (int i = 0; i < n; i++) {
    m.first[i] = m.entries;
    for (int j = i % 2; j < n; j += 2) {
      m.column[m.filled] = j;
      m.value[m.entries++] = x[i] * x[j];
      m.filled++;
    }
  }
  m.first[n] = (int)m.filled;
  return m;
}

SUM(sparse_matrix_by_value, 5, 0.3, 1.2, -0.4, 0.8, 0.5) {
  Matrix m = make_matrix(n, x);
  real sum = 0;
  for (int i = 0; i < m.rows; i++)
    for (int k = m.first[i]; k < m.first[i + 1]; k++)
      sum += m.value[k] * x[m.column[k]] * (real)(i + 1);
  free(m.first);
  free(m.column);
  free(m.value);
  return sum;
}

/* --- Values that are numbers, or count, read by a function that asks which. --- */

typedef struct {
  int kind;
  union {
    long count;
    real number;
  } is;
} Value;

static real number_of(const Value *v) { return v->kind ? (real)v->is.count : v->is.number; }

SUM(values_of_either_kind, 6, 0.3, 1.2, -0.4, 0.8, 0.5, 1.1) {
  Value values[6];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    values[i].kind = i % 2;
    if (values[i].kind)
      values[i].is.count = i;
    else
      values[i].is.number = x[i] * x[i];
  }
  for (int i = 0; i < n; i++)
    sum += number_of(&values[i]) * x[(i + 1) % n];
  return sum;
}

/* --- Unions that lie in registers once loops are unrolled. --- */

typedef union {
  real number;
  struct {
    int low, high;
  } pair;
  real both[2];
} Cell;

SUM(cells_that_change_places, 4, 0.3, 1.2, -0.4, 0.8) {
  Cell cells[4];
  int kinds[4];
  real sum = 0;
  for (int i = 0; i < 4; i++) {
    kinds[i] = (i + n) % 3;
    if (kinds[i] == 0) {
      cells[i].number = x[i] * x[1];
    } else if (kinds[i] == 1) {
      cells[i].pair.low = i;
      cells[i].pair.high = n - i;
    } else {
      cells[i].both[0] = x[i];
      cells[i].both[1] = x[2] * x[3];
    }
  }
  Cell cell = cells[1];
  cells[1] = cells[2];
  cells[2] = cell;
  int kind = kinds[1];
  kinds[1] = kinds[2];
  kinds[2] = kind;
  for (int i = 0; i < 4; i++)
    if (kinds[i] == 0)
      sum += cells[i].number * x[0];
    else if (kinds[i] == 1)
      sum += x[1] * (real)(cells[i].pair.low - cells[i].pair.high);
    else
      sum += cells[i].both[0] * cells[i].both[1];
  return sum;
}

typedef union {
  real number;
  intptr_t count;
} Either;

/* Both are read and computed with before one of them is chosen. */
SUM(either_read_before_the_choice, 6, 0.3, 1.2, -0.4, 0.8, 0.5, 1.1) {
  Either e[6];
  real sum = 0;
  for (int i = 0; i < n; i++)
    if (i % 3)
      e[i].number = x[i] * x[i];
    else
      e[i].count = 7 * i;
  for (int i = 0; i < n; i++) {
    real counted = (real)e[i].count * x[0];
    real given = e[i].number * x[1];
    sum += i % 3 ? given : counted;
  }
  return sum;
}

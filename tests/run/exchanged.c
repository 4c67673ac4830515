// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Objects that are exchanged byte by byte, as sorts do that know nothing of their elements. */
#include "cases.h"

/* --- By pointers that move on, by an index, and downwards. --- */

static void exchange(void *a, void *b, size_t n) {
  char *p = (char *)a, *q = (char *)b;
  while (n--) {
    char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}

static NOINLINE void exchange_at(void *a, void *b, size_t n) {
  unsigned char *p = (unsigned char *)a, *q = (unsigned char *)b;
  for (size_t i = 0; i < n; i++) {
    unsigned char t = p[i];
    p[i] = q[i];
    q[i] = t;
  }
}

static void exchange_down(char *p, char *q, int n) {
  for (int i = n - 1; i >= 0; i--) {
    char t = q[i];
    q[i] = p[i];
    p[i] = t;
  }
}

/* One is exchanged with itself, and two with two. */
SUM(numbers_exchanged, 6, 0.5, -0.3, 1.2, 0.9, -0.8, 0.1) {
  real a[6];
  for (int i = 0; i < 6; i++)
    a[i] = x[i] * x[1];
  exchange(&a[0], &a[n - 1], sizeof(real));
  exchange_at(&a[n - 2], &a[n - 2], sizeof(real));
  exchange_down((char *)a, (char *)&a[n - 4], 2 * (int)sizeof(real));
  real sum = 0;
  for (int i = 0; i < 6; i++)
    sum += (i + 1) * a[i] * a[i];
  return sum;
}

/* --- A sort of anything. --- */

typedef int Order(const void *a, const void *b);

static void sort(void *array, size_t count, size_t size, Order *order) {
  char *base = (char *)array;
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0 && order(base + (k - 1) * size, base + k * size) > 0; k--)
      exchange_at(base + (k - 1) * size, base + k * size, size);
}

typedef struct Record {
  int number;
  char name[3];
  real weight;
  const real *at;
} Record;

static int by_weight(const void *a, const void *b) {
  real first = ((const Record *)a)->weight, second = ((const Record *)b)->weight;
  return (first > second) - (first < second);
}

static int by_value(const void *a, const void *b) {
  real first = *(const real *)a, second = *(const real *)b;
  return (first > second) - (first < second);
}

SUM(records_sorted, 5, 0.5, -0.3, 1.2, 0.9, -0.8) {
  Record records[5];
  memset(records, 0, sizeof records);
  for (int i = 0; i < n; i++) {
    records[i].number = i + 1;
    records[i].weight = x[i] * x[i];
    records[i].at = &x[(i + 2) % n];
  }
  sort(records, (size_t)n, sizeof *records, by_weight);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * records[i].number * records[i].weight * *records[i].at;
  return sum;
}

SUM(numbers_sorted, 5, 0.5, -0.3, 1.2, 0.9, -0.8) {
  real *values = (real *)malloc((size_t)n * sizeof *values);
  for (int i = 0; i < n; i++)
    values[i] = x[i] * x[0];
  sort(values, (size_t)n, sizeof *values, by_value);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += (i + 1) * values[i] * values[i];
  free(values);
  return sum;
}

/* --- In words of eight bytes, of which each may be a number, a pointer or an integer; and in words
 * that are shorter than a number, copied, downwards, too. --- */

static NOINLINE void exchange_words(void *a, void *b, size_t n) {
  for (size_t i = 0; i < n; i += 8) {
    long t, u;
    memcpy(&t, (char *)a + i, 8);
    memcpy(&u, (char *)b + i, 8);
    memcpy((char *)a + i, &u, 8);
    memcpy((char *)b + i, &t, 8);
  }
}

static NOINLINE void copy_words(char *restrict to, const char *restrict from, size_t n) {
  for (size_t i = 0; i < n; i += 2) {
    short word;
    memcpy(&word, from + i, 2);
    memcpy(to + i, &word, 2);
  }
}

static NOINLINE void copy_down(char *restrict to, const char *restrict from, int n) {
  for (int i = n / 4 - 1; i >= 0; i--) {
    int word;
    memcpy(&word, from + 4 * i, 4);
    memcpy(to + 4 * i, &word, 4);
  }
}

typedef struct Mixed {
  double factor;
  real value;
  const real *at;
  long number;
} Mixed;

SUM(in_words, 4, 0.5, -0.3, 1.2, 0.9) {
  Mixed *items = (Mixed *)calloc((size_t)n + 2, sizeof *items);
  for (int i = 0; i < n; i++) {
    Mixed item = {0.5 * i, x[i] * x[0], x + i, i};
    items[i] = item;
  }
  exchange_words(items, items + 2, sizeof *items);
  exchange_words(items + n - 1, items + 1, sizeof *items);
  copy_words((char *)(items + n), (const char *)(items + 1), sizeof *items);
  copy_down((char *)(items + n + 1), (const char *)items, (int)sizeof *items);
  real sum = 0;
  for (int i = 0; i < n + 2; i++) {
    Mixed item = items[i];
    sum += item.value * *item.at * (i + 1) + item.number * x[0] + (real)item.factor * x[1];
  }
  free(items);
  return sum;
}

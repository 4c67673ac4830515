// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The C library's functions that sort and search by a comparison of the program's. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdlib.h>

#include "cases.h"

typedef struct {
  short tag;
  real weight;
  char name[4];
} Sample;

typedef struct {
  const real *keys;
  int calls;
} Keys;

static int by_number(const void *a, const void *b) {
  real p = *(const real *)a, q = *(const real *)b;
  return (p > q) - (p < q);
}

static int by_number_behind(const void *a, const void *b) {
  return -by_number(*(real *const *)a, *(real *const *)b);
}

static int by_weight(const void *a, const void *b) {
  return by_number(&((const Sample *)a)->weight, &((const Sample *)b)->weight);
}

static int by_tag(const void *a, const void *b) {
  return ((const Sample *)a)->tag - ((const Sample *)b)->tag;
}

static int by_key(const void *a, const void *b, void *state) {
  Keys *keys = (Keys *)state;
  keys->calls++;
  return by_number(keys->keys + *(const int *)a, keys->keys + *(const int *)b);
}

static NOINLINE void order(real **at, size_t count, int (*compare)(const void *, const void *)) {
  qsort(at, count, sizeof *at, compare);
}

MAP(sorted_of_several_types, 4, 3, 0.5, -0.7, 1.2, 0.1) {
  real numbers[4], *places[4];
  Sample samples[4];
  for (int i = 0; i < 4; i++) {
    numbers[i] = x[i] * x[i];
    places[i] = &x[i];
    samples[i] = (Sample){(short)(i * 3 % 4), (real)sin(x[i]), "s"};
  }
  qsort(numbers, 4, sizeof *numbers, by_number);
  order(places, 4, by_number_behind);
  qsort(samples, 4, sizeof *samples, by_weight);
  for (int i = 0; i < 4; i++) {
    y[0] += numbers[i] * (real)(i + 1);
    y[1] += *places[i] * *places[3 - i] * (real)i;
    *places[i] *= (real)0.5;
    y[2] += samples[i].weight * (real)(samples[i].tag + samples[i].name[0]);
  }
  qsort(samples, 4, sizeof *samples, by_tag);
  Sample key = {2, 0, ""};
  const Sample *found = (const Sample *)bsearch(&key, samples, 4, sizeof key, by_tag);
  if (found)
    y[0] += found->weight * samples[0].weight;
}

SUM(sorted_with_a_state, 4, 0.5, -0.7, 1.2, 0.1) {
  int places[4] = {0, 1, 2, 3};
  Keys keys = {x, 0};
  qsort_r(places, (size_t)n, sizeof *places, by_key, &keys);
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * (real)0.5 + x[places[i]] * x[places[i]] * (real)(i + (keys.calls > 2));
  qsort_r(places, 0, sizeof *places, by_key, &keys);
  return sum;
}

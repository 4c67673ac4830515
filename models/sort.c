// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* C's functions that sort and search by a comparison of the caller's.
 *
 * What is sorted is a list of places: that has no derivative, whatever the comparison reads. Then
 * each element is moved once, as a whole, so that elements may be of any type that the caller's
 * array has. Elements that compare as equal keep their order, as in the C library of GNU. */
/* The header's own body of bsearch is not asked for. */
#define __NO_INLINE__ 1
#include "model.h"

#include <string.h>

typedef int (*Compare)(const void *, const void *);
typedef int (*CompareWith)(const void *, const void *, void *);

#define INLINED __attribute__((always_inline))
#define HELPER static inline __attribute__((always_inline))

/* A comparison with a third argument or without. */
typedef struct Order {
  Compare plain;
  CompareWith with;
  void *state;
} Order;

HELPER int compare(const Order *order, const void *a, const void *b) {
  return order->plain ? order->plain(a, b) : order->with(a, b, order->state);
}

/* Merges two sorted lists of places, from..middle and middle..end. */
HELPER void merge(size_t *to, const size_t *places, size_t from, size_t middle, size_t end,
                  const char *base, size_t size, const Order *order) {
  size_t left = from, right = middle;
  for (size_t k = from; k < end; k++) {
    bool first = left < middle && (right >= end || compare(order, base + places[left] * size,
                                                           base + places[right] * size) <= 0);
    to[k] = first ? places[left++] : places[right++];
  }
}

HELPER size_t least(size_t a, size_t b) { return a < b ? a : b; }

HELPER void sort(char *base, size_t count, size_t size, const Order *order) {
  if (count < 2)
    return;
  size_t *places = malloc(2 * count * sizeof *places);
  size_t *merged = places + count;
  char *copy = malloc(count * size);
  for (size_t i = 0; i < count; i++)
    places[i] = i;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t from = 0; from < count; from += 2 * width) {
      size_t middle = least(from + width, count);
      merge(merged, places, from, middle, least(middle + width, count), base, size, order);
    }
    for (size_t i = 0; i < count; i++)
      places[i] = merged[i];
  }
  memcpy(copy, base, count * size);
  for (size_t i = 0; i < count; i++)
    memcpy(base + i * size, copy + places[i] * size, size);
  free(copy);
  free(places);
}

INLINED void qsort(void *base, size_t count, size_t size, Compare plain) {
  const Order order = {plain, NULL, NULL};
  sort(base, count, size, &order);
}

/* GNU's: the comparison has a state. */
INLINED void qsort_r(void *base, size_t count, size_t size, CompareWith with, void *state) {
  const Order order = {NULL, with, state};
  sort(base, count, size, &order);
}

/* An element that compares as equal to the key, as halving finds it; NULL: none does. */
INLINED void *bsearch(const void *key, const void *base, size_t count, size_t size, Compare plain) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *at = (const char *)base + middle * size;
    int order = plain(key, at);
    if (order == 0)
      return (void *)at;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

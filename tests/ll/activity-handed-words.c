// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Words that are read and written by helpers that are not inlined, or copied as pairs of integers,
 * are pointers where their caller has some. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t && %t | FileCheck %s
#include <stdint.h>

void __enzyme_autodiff(void *, ...);
int printf(const char *, ...);

typedef double __attribute__((may_alias)) Word;
typedef struct {
  uint64_t first, second;
} __attribute__((may_alias)) Words;
typedef struct Item {
  double weight;
  struct Item *next;
  double *number;
  long count;
} Item;

__attribute__((noinline)) static Word get(void *from) { return *(Word *)from; }
__attribute__((noinline)) static void put(void *to, Word word) { *(Word *)to = word; }

__attribute__((noinline)) static void exchange(void *a, void *b) {
  Words t = *(Words *)a;
  *(Words *)a = *(Words *)b;
  *(Words *)b = t;
}

__attribute__((always_inline)) static inline double sum(const Item *items) {
  double s = 0;
  for (int i = 0; i < 3; i++)
    s += items[i].weight * *items[i].number + items[i].next->weight * (double)items[i].count;
  return s;
}

__attribute__((always_inline)) static inline void fill(Item *items, double *numbers,
                                                       const double *x) {
  for (int i = 0; i < 3; i++) {
    numbers[i] = x[i] * x[i];
    items[i].weight = x[i] + 1;
    items[i].next = &items[(i + 1) % 3];
    items[i].number = numbers + i;
    items[i].count = i + 1;
  }
}

typedef struct {
  double weight;
  double *number;
} Pair;

static double handed(const double *x) {
  Pair pairs[4];
  double numbers[4], sum = 0;
  for (int i = 0; i < 4; i++)
    numbers[i] = x[i % 3] + 0.5;
  for (int i = 0; i < 4; i++) {
    pairs[i].weight = x[i % 3] * x[i % 3];
    pairs[i].number = numbers + i;
  }
  Word word = get(&pairs[2].number);
  put(&pairs[2].number, get(&pairs[1].number));
  put(&pairs[1].number, word);
  for (int i = 0; i < 4; i++)
    sum += (i + 1) * pairs[i].weight * *pairs[i].number;
  return sum;
}

static double copied(const double *x) {
  Item items[3];
  double numbers[3];
  fill(items, numbers, x);
  exchange(&items[0], &items[2]);
  exchange(&items[0].number, &items[2].number);
  *items[2].number *= x[1];
  return sum(items);
}

// CHECK: handed 70 102 102
// CHECK: copied 50 46 59
int main(void) {
  double x[3] = {2, 3, 4}, a[3] = {0}, b[3] = {0};
  __enzyme_autodiff((void *)handed, x, a);
  printf("handed %g %g %g\n", a[0], a[1], a[2]);
  __enzyme_autodiff((void *)copied, x, b);
  printf("copied %g %g %g\n", b[0], b[1], b[2]);
}

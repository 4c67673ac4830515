// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers kept in members that are pointers, as in records that hold anything, and moved as
 * pointers by functions that know no more than that: both modes are right. */
// RUN: %clang -O0 -w %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -w %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -w -DBY_VALUE %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w -DBY_VALUE %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -w -DLIST %s -lm -o %t && %t | FileCheck %s
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#define NOINLINE __attribute__((noinline)) static

typedef struct {
  int n, keys[8];
  void *items[8];
} Bag;

#ifdef BY_VALUE
NOINLINE void push(Bag *bag, double number) {
  void *item;
  memcpy(&item, &number, sizeof item);
  bag->items[bag->n++] = item;
}
#else
NOINLINE void push(Bag *bag, double number) { memcpy(&bag->items[bag->n++], &number, 8); }
#endif

NOINLINE void shift(Bag *bag) {
  for (int i = bag->n; i > 0; i--)
    bag->items[i] = bag->items[i - 1];
  bag->n++;
}

NOINLINE void swap(Bag *bag, int i, int j) {
  void *item = bag->items[i];
  bag->items[i] = bag->items[j];
  bag->items[j] = item;
}

NOINLINE double squares(const Bag *bag) {
  double sum = 0;
  for (int i = 0; i < bag->n; i++) {
    double number;
    memcpy(&number, &bag->items[i], sizeof number);
    sum += number * number * (i + 1);
  }
  return sum;
}

static double bag(const double *x) {
  Bag bag = {0};
  push(&bag, x[0]);
  push(&bag, x[1] * x[0]);
  shift(&bag);
#ifndef BY_VALUE
  swap(&bag, 0, 2);
#endif
  return squares(&bag);
}

typedef struct {
  double weight;
  void *items[2][4];
} Rows;

NOINLINE void turn(Rows *rows) {
  for (int i = 0; i < 4; i++) {
    void *item = rows->items[0][i];
    rows->items[0][i] = rows->items[1][3 - i];
    rows->items[1][3 - i] = item;
  }
}

static double rows(const double *x) {
  Rows rows = {x[0]};
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) {
      double number = x[(i + j) % 2] * (j + 1) + i;
      memcpy(&rows.items[i][j], &number, sizeof number);
    }
  turn(&rows);
  for (int i = 0; i < 8; i++) {
    double number;
    memcpy(&number, &rows.items[i / 4][i % 4], sizeof number);
    sum += sin(number) * i;
  }
  return sum + rows.weight;
}

typedef struct List {
  int key;
  void *data;
  struct List *next;
} List;

NOINLINE List *add(List *next, int key, const double *number) {
  List *list = malloc(sizeof *list);
  list->key = key;
  memcpy(&list->data, number, sizeof *number);
  list->next = next;
  return list;
}

NOINLINE void exchange(List *a, List *b) {
  void *data = a->data;
  a->data = b->data;
  b->data = data;
}

static double list(const double *x) {
  double product = x[0] * x[1], sum = 0;
  List *list = add(add(NULL, 1, x), 2, &product);
  exchange(list, list->next);
  for (List *at = list, *next; at; at = next) {
    double number;
    memcpy(&number, &at->data, sizeof number);
    sum += number * number * at->key;
    next = at->next;
    free(at);
  }
  return sum;
}

static double difference(double (*f)(const double *), int i) {
  double high[2] = {0.7, 1.3}, low[2] = {0.7, 1.3};
  high[i] += 1e-5;
  low[i] -= 1e-5;
  return (f(high) - f(low)) / 2e-5;
}

static void compare(const char *name, double (*f)(const double *), const double *slopes,
                    const double *others) {
  for (int i = 0; i < 2; i++) {
    double expected = difference(f, i);
    double error = fabs(slopes[i] - expected) + fabs(others[i] - expected);
    if (error > 1e-6)
      printf("%s %d: %g, %g, not %g\n", name, i, slopes[i], others[i], expected);
  }
}

static const double at[2] = {0.7, 1.3}, first[2] = {1}, second[2] = {0, 1};
static double gradient[2];

#define SLOPE(f, direction) __enzyme_fwddiff((void *)f, enzyme_dup, at, direction)
#define COMPARE(f)                                                                                 \
  (memset(gradient, 0, sizeof gradient), __enzyme_autodiff((void *)f, enzyme_dup, at, gradient),   \
   compare(#f, f, gradient, (double[2]){SLOPE(f, first), SLOPE(f, second)}))

int main(void) {
#ifdef LIST
  COMPARE(list);
#else
  COMPARE(bag);
#ifndef BY_VALUE
  COMPARE(rows);
#endif
#endif
  printf("compared\n");
}
// CHECK-NOT: not
// CHECK: compared

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers and integers of which a tag says which it is, and integers that are computed with. */
#include "cases.h"

typedef struct {
  int is_count;
  union {
    real number;
    long count;
  } of;
} Variant;

static real value_of(const Variant *v) { return v->is_count ? (real)v->of.count : v->of.number; }

/* Sums of counts are counts again. */
static void apply(char operation, Variant *to, const Variant *by) {
  if (to->is_count && by->is_count) {
    if (operation == '+')
      to->of.count += by->of.count;
    else
      to->of.count *= by->of.count;
    return;
  }
  real a = value_of(to), b = value_of(by);
  to->is_count = 0;
  to->of.number = operation == '+' ? a + b : a * b;
}

SUM(interpreter, 4, 0.3, 1.2, -0.4, 0.8) {
  static const char program[] = "#2#3+x0*x1+#3#4**x2*x3+";
  Variant stack[8];
  int top = 0;
  for (const char *at = program; *at; at++) {
    if (*at == '#') {
      stack[top].is_count = 1;
      stack[top++].of.count = *++at - '0';
    } else if (*at == 'x') {
      stack[top].is_count = 0;
      stack[top++].of.number = x[(*++at - '0') % n];
    } else {
      top--;
      apply(*at, &stack[top - 1], &stack[top]);
    }
  }
  return value_of(&stack[0]) * value_of(&stack[0]);
}

SUM(counts_that_grow, 4, 0.3, 1.2, -0.4, 0.8) {
  Variant v[4];
  real sum = 0;
  for (int i = 0; i < n; i++) {
    v[i].is_count = i % 2;
    if (i % 2)
      v[i].of.count = i;
    else
      v[i].of.number = x[i] * x[0];
  }
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < n; i++) {
      if (v[i].is_count)
        v[i].of.count += k + v[i].of.count / 2;
      else
        v[i].of.number = v[i].of.number * x[1];
    }
  }
  for (int i = 0; i < n; i++)
    sum += value_of(&v[i]) * x[i];
  return sum;
}

enum { SCALAR, TRIPLE, SLICE, TEXT };

typedef struct {
  int kind;
  union {
    real number;
    real triple[3];
    struct {
      int rows, columns;
      real *items;
    } slice;
    char text[24];
  } of;
} Any;

static Any any_of(real number) {
  Any any = {SCALAR, {0}};
  any.of.number = number;
  return any;
}

static Any three(real a, real b, real c) {
  Any any = {TRIPLE, {0}};
  any.of.triple[0] = a;
  any.of.triple[1] = b;
  any.of.triple[2] = c;
  return any;
}

static Any slice(int rows, int columns, real *items) {
  Any any = {SLICE, {0}};
  any.of.slice.rows = rows;
  any.of.slice.columns = columns;
  any.of.slice.items = items;
  return any;
}

static Any text(const char *text) {
  Any any = {TEXT, {0}};
  snprintf(any.of.text, sizeof any.of.text, "%s", text);
  return any;
}

static real norm(const Any *any) {
  real sum = 0;
  switch (any->kind) {
  case SCALAR:
    return any->of.number * any->of.number;
  case TRIPLE:
    return any->of.triple[0] * any->of.triple[1] + any->of.triple[2];
  case SLICE:
    for (int i = 0; i < any->of.slice.rows * any->of.slice.columns; i++)
      sum += any->of.slice.items[i] * any->of.slice.items[i];
    return sum;
  default:
    return (real)strtod(any->of.text, NULL);
  }
}

SUM(variants_that_begin_with_a_tag, 4, 0.3, 1.2, -0.4, 0.8) {
  Any list[5] = {any_of(x[0] * x[1]), three(x[0], x[2], x[1] * x[3]), slice(2, n / 2, x),
                 text("0.5"), any_of(-x[3])};
  real sum = 1;
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 5; i++)
      sum += norm(&list[i]) * sum * (real)(0.05 * (i + 1));
    Any first = list[0];
    list[0] = list[1];
    list[1] = first;
  }
  return sum;
}

typedef struct {
  int is_slice;
  union {
    real number;
    struct {
      long count;
      real *items;
    } slice;
  } of;
} Sized;

static real *scaled(const Sized *sized) {
  real *scaled = (real *)malloc((size_t)sized->of.slice.count * sizeof *scaled);
  for (long i = 0; i < sized->of.slice.count; i++)
    scaled[i] = sized->of.slice.items[i] * (real)(i + 1);
  return scaled;
}

SUM(sizes_beside_numbers, 4, 0.3, 1.2, -0.4, 0.8) {
  Sized list[2];
  real sum = 0;
  for (int i = 0; i < 2; i++) {
    list[i].is_slice = i;
    if (i) {
      list[i].of.slice.count = n;
      list[i].of.slice.items = x;
    } else {
      list[i].of.number = x[0] * x[1];
    }
  }
  for (int i = 0; i < 2; i++) {
    if (!list[i].is_slice) {
      sum += list[i].of.number * list[i].of.number;
      continue;
    }
    real *items = scaled(&list[i]);
    for (long k = 0; k < list[i].of.slice.count; k++)
      sum += items[k] * items[k];
    free(items);
  }
  return sum;
}

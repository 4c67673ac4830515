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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that a function, which calls itself, moves as pointers: their tangents go with them. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t && %t | FileCheck %s
double __enzyme_fwddiff(void *, ...);
int printf(const char *, ...);

typedef void *__attribute__((may_alias)) Word;
typedef struct {
  double weight;
  double *number;
} Pair;

__attribute__((noinline)) static void exchange(void *a, void *b, int n) {
  if (!n)
    return;
  Word *p = a, *q = b, t = *p;
  *p = *q;
  *q = t;
  exchange(p + 1, q + 1, n - 1);
}

static double value(const double *x) {
  Pair pairs[2];
  double d[2], e[2], sum = 0;
  for (int i = 0; i < 2; i++) {
    d[i] = x[i] * x[(i + 1) % 2];
    e[i] = x[i] + 0.5;
  }
  for (int i = 0; i < 2; i++) {
    pairs[i].weight = x[i] * x[i];
    pairs[i].number = d + i;
  }
  exchange(d, e + 1, 1);
  exchange(pairs + 1, pairs, 2);
  for (int i = 0; i < 2; i++)
    sum += (i + 1) * pairs[i].weight * *pairs[i].number + d[i] * e[i];
  return sum;
}

// CHECK: 94.5 88.5
int main(void) {
  double x[2] = {2, 3}, first[2] = {1, 0}, second[2] = {0, 1};
  double a = __enzyme_fwddiff((void *)value, x, first);
  printf("%g %g\n", a, __enzyme_fwddiff((void *)value, x, second));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that begin where memory is aligned, by its address: that of the shadow may be another. */
// reals: double
// differences: none
#include "cases.h"

#include <stdint.h>
#include <stdlib.h>

extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

typedef double Two __attribute__((vector_size(16)));

static unsigned begin_of(const double *x) { return ((uintptr_t)x & 8) != 0; }

static double squares(const double *x, int n) {
  int i = (int)begin_of(x);
  double sum = i ? x[0] * x[0] : 0;
  for (; i + 1 < n; i += 2) {
    Two pair = *(const Two *)(x + i);
    pair *= pair;
    sum += pair[0] + pair[1];
  }
  for (; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

NOINLINE static void scale(double *x, int n, double factor) {
  int i = (int)begin_of(x);
  if (i)
    x[0] *= factor;
  for (; i + 1 < n; i += 2)
    *(Two *)(x + i) *= factor;
  for (; i < n; i++)
    x[i] *= factor;
}

static double scaled(const double *x, int n) {
  struct {
    double before, numbers[7];
  } first;
  double second[7];
  for (int i = 0; i < 7; i++)
    first.numbers[i] = second[i] = x[i % n];
  scale(first.numbers, 7, x[0]);
  scale(second, 7, x[1]);
  double sum = 0;
  for (int i = 0; i < 7; i++)
    sum += first.numbers[i] * second[i];
  return sum;
}

enum { MOST = 6 };

/* The sum of the squares times the product of the first two, whichever way it is found. */
static double expected(const double *x, int n, int at) {
  double sum = 0, all = x[0] * x[1];
  for (int i = 0; i < 7; i++)
    sum += x[i % n] * x[i % n];
  double derivative = at == 0 ? sum * x[1] : at == 1 ? sum * x[0] : 0;
  for (int i = at; i < 7; i += n)
    derivative += 2 * x[at] * all;
  return derivative;
}

CHECK(shadows_aligned_otherwise) {
  for (int k = 0; k < 4; k++) {
    _Alignas(16) double primals[MOST + 2] = {0}, shadows[MOST + 2] = {0}, tangents[MOST + 2] = {0};
    double *x = primals + k % 2, *d = shadows + k / 2, *t = tangents + k / 2;
    for (int i = 0; i < 5; i++)
      x[i] = i + 1;
    t[2] = 1;
    __enzyme_autodiff((void *)squares, enzyme_dup, x, d, enzyme_const, 5);
    EXPECT(d[0], 2);
    EXPECT(d[4], 10);
    EXPECT(__enzyme_fwddiff((void *)squares, enzyme_dup, x, t, enzyme_const, 5), 6);
  }
}

CHECK(own_arrays_aligned_otherwise) {
  double x[3] = {1.5, 0.5, 2}, d[3] = {0};
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, d, enzyme_const, 3);
  for (int i = 0; i < 3; i++) {
    double t[3] = {0};
    t[i] = 1;
    EXPECT(d[i], expected(x, 3, i));
    EXPECT(__enzyme_fwddiff((void *)scaled, enzyme_dup, x, t, enzyme_const, 3), expected(x, 3, i));
  }
}

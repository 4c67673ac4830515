// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The tape of a loop nest takes as many allocations whatever the number of iterations: one for each
 * of its loops, also where these stand in a row, and for copies of arrays that each iteration makes
 * as many as their stack has segments. */
// RUN: %clang -O0 %s -Wl,--wrap=malloc,--wrap=aligned_alloc -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -Wl,--wrap=malloc,--wrap=aligned_alloc -lm -o %t && %t | FileCheck %s
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;
void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);

static unsigned calls;

void *__wrap_malloc(size_t size) {
  calls++;
  return __real_malloc(size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  calls++;
  return __real_aligned_alloc(alignment, size);
}

static void in_a_row(int n, int m, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
      sum += sin(x[j] * y[i]);
    for (int j = 0; j < m; j++)
      sum += exp(-x[j] * sum * sum);
    y[i] = sum;
  }
}

static void copied(int n, int m, double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j + 1 < m; j++)
      sum += x[j] * x[j + 1];
    for (int j = 0; j < m; j++)
      x[j] = 0.5 * x[j] + 0.1 * sum;
    y[i] = sum;
  }
}

enum { MOST = 4096, INNER = 4 };

static double x[INNER], dx[INNER], y[MOST], dy[MOST];

static unsigned calls_in_a_row(int n) {
  unsigned before = calls;
  __enzyme_autodiff((void *)in_a_row, enzyme_const, n, enzyme_const, INNER, x, dx, y, dy);
  return calls - before;
}

static unsigned calls_copied(int n) {
  unsigned before = calls;
  __enzyme_autodiff((void *)copied, enzyme_const, n, enzyme_const, INNER, x, dx, y, dy);
  return calls - before;
}

int main(void) {
  unsigned few = calls_in_a_row(16), many = calls_in_a_row(MOST);
  printf("row %u %u\n", few, many);
  printf("copies %d\n", calls_copied(MOST) < 40);
  return 0;
}
// CHECK:      row 3 3
// CHECK-NEXT: copies 1

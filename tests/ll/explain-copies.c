// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The records tell a copy of an array from memory whose free waits for the reverse sweep. */
// RUN: rm -f %t.records
// RUN: %clang -O2 -g -fno-discard-value-names -mllvm -nabla-explain=%t.records -c %s -o %t.o
// RUN: FileCheck --implicit-check-not=__nabla --implicit-check-not="copy of an array" \
// RUN:   --input-file=%t.records %s
#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void repeat(int n, int m, double *restrict a, double *restrict sums) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      sums[i] += a[j] * a[j];
  for (int j = 0; j < m; j++)
    a[j] = 0;
}
// CHECK: derivative {{.*}} repeat
// CHECK: kept {{.*}} 64 memory of the tape
// CHECK: kept {{.*}} 8 {{.+}} a copy of an array
// CHECK: derivative {{.*}} scale

static void scale(int n, double *x) {
  double *squares = malloc((size_t)n * sizeof *squares);
  for (int i = 0; i < n; i++)
    squares[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    x[i] = squares[i] * squares[n - 1 - i];
  free(squares);
}
// CHECK: kept {{.*}} squares it leads to memory that the reverse sweep reads or frees
// CHECK: end

void gradients(int n, double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)repeat, enzyme_const, n, enzyme_const, n, x, dx, y, dy);
  __enzyme_autodiff((void *)scale, enzyme_const, n, x, dx);
}

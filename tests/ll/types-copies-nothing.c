// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Only a function that may move bytes as something else has a derivative for what the code around
 * its call passes: what reads and writes numbers as such is differentiated once for all memory. */
// RUN: %clang -O1 -c %s -o /dev/null -mllvm -nabla-print=plan 2>&1 | FileCheck %s
void __enzyme_autodiff(void *, ...);

typedef struct {
  double pair[2];
  int count;
} Counted;

static void square(double *x) { x[0] = x[0] * x[0] * x[1]; }

void derivatives(double *by_pointer, double *d_by_pointer) {
  double array[3] = {1, 2, 3}, d_array[3] = {1};
  Counted counted = {{1, 2}, 3}, d_counted = {{1}};
  __enzyme_autodiff((void *)square, array, d_array);
  __enzyme_autodiff((void *)square, counted.pair, d_counted.pair);
  __enzyme_autodiff((void *)square, by_pointer, d_by_pointer);
  by_pointer[0] = d_array[0] + d_counted.pair[0];
}
// CHECK: plan @square
// CHECK-NOT: plan @square

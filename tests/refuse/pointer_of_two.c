// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An address that is made of two does not say which of them it leads to. */
#include <stdint.h>
extern double __enzyme_fwddiff(void *, ...);

static double chosen(double *x, double *y, int k) {
  uintptr_t apart = k > 1 ? (uintptr_t)y - (uintptr_t)x : 8;
  return *(double *)((uintptr_t)x + apart) * x[0]; // error-anywhere: [nabla: unknown-memory]
}

double use(double *x, double *dx, double *y, double *dy, int k) {
  return __enzyme_fwddiff((void *)chosen, x, dx, y, dy, k);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A pointer to active memory is read from memory as a volatile integer. */
#include <stdint.h>
extern void __enzyme_autodiff(void *, ...);

static double f(double *x) {
  volatile uintptr_t at = (uintptr_t)(x + 1);
  return *(double *)at * x[0]; // error: [nabla: pointer]
}

void use(double *x, double *d) { __enzyme_autodiff((void *)f, x, d); }

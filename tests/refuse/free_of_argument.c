// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Active memory freed by a function that did not allocate it. */
#include <stdlib.h>
extern void __enzyme_autodiff(void *, ...);

static double consumed(double *x) {
  double r = x[0] * x[1];
  free(x); // error: [nabla: free]
  return r;
}

void use(double *x, double *d) { __enzyme_autodiff((void *)consumed, x, d); }

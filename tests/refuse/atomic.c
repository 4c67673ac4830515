// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Volatile accesses of active memory. */
extern void __enzyme_autodiff(void *, ...);

static void stored(double *x) {
  volatile double *v = x;
  x[1] = *v * 2; // error: volatile ... [nabla: atomic]
}

void use(double *x, double *d) { __enzyme_autodiff((void *)stored, x, d); }

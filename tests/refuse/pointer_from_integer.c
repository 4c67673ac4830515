// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A pointer to active memory that travels as an integer which is changed. */
extern void __enzyme_autodiff(void *, ...);

static double tagged(double *x) {
  unsigned long address = (unsigned long)x;
  double *p = (double *)((address ^ 8) & ~4ul); // error-near: [nabla: unknown-memory]
  return *p * *p;
}

void use(double *x, double *d) { __enzyme_autodiff((void *)tagged, x, d); }

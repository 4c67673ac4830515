// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Atomic accesses of active memory. */
extern void __enzyme_autodiff(void *, ...);

static void stored(double *x) {
  double r;
  __atomic_load(x, &r, __ATOMIC_SEQ_CST); // error-near: [nabla: atomic]
  x[1] = r * r;
}

void use(double *x, double *d) { __enzyme_autodiff((void *)stored, x, d); }

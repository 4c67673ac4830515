// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Atomic accesses of active memory. */
extern void __enzyme_autodiff(void *, ...);

static void stored(double *x) {
  double t;
  __atomic_load(x, &t, __ATOMIC_SEQ_CST); // error: atomic // error: [nabla: integer-carrier]
  x[1] = t * 2;
}

void use(double *x, double *d) { __enzyme_autodiff((void *)stored, x, d); }

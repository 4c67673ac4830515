// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An argument marked as not needed whose values the derivative reads. */
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed;

static void squared_in_place(const double *x, double *y) {
  y[0] = y[0] * y[0] * x[0]; // error-near: [nabla: needed]
}

void use(double *x, double *dx, double *dy) {
  __enzyme_autodiff((void *)squared_in_place, enzyme_dup, x, dx, enzyme_dupnoneed, (double *)0, dy);
}

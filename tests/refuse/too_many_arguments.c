// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* More arguments than the function has. */
extern int enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern void __enzyme_autodiff_void(void *, ...);

static double square(double x) { return x * x; }
static double first(const double *x) { return x[0]; }

double extra(double x) {
  return __enzyme_autodiff((void *)square, x, x); // error: [nabla: too-many-arguments]
}

void shadow_of_a_constant(double *x, double *d) {
  __enzyme_autodiff_void((void *)first, enzyme_const, x, d); // error: [nabla: too-many-arguments]
}

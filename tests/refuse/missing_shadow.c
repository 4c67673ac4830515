// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An active pointer whose shadow is forgotten: at the end, and before a marker. */
extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

static double first(const double *x) { return x[0] * x[0]; }
static double scaled(const double *x, int n) { return x[0] * n; }

void at_the_end(double *x) {
  __enzyme_autodiff((void *)first, enzyme_dup, x); // error: [nabla: missing-shadow]
}

void before_a_marker(double *x, double *d) {
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, enzyme_const,
                    3); // error-near: [nabla: missing-shadow]
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, d, enzyme_const, 3);
}

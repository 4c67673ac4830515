// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Markers that do not fit the argument. */
extern int enzyme_dup, enzyme_out, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }
static double element(const double *x, long i) { return x[i]; }

double shadow_for_a_float(double x) {
  return __enzyme_autodiff((void *)square, enzyme_dup, x, 1.0); // error: [nabla: wrong-role]
}

double out_in_forward_mode(double x) {
  return __enzyme_fwddiff((void *)square, enzyme_out, x); // error: [nabla: wrong-role]
}

double out_for_a_pointer(double *x) {
  return __enzyme_autodiff((void *)element, enzyme_out, x, enzyme_const,
                           0); // error-near: [nabla: wrong-role]
}

double adjoint_of_an_integer(double *x, double *d) {
  return __enzyme_autodiff((void *)element, enzyme_dup, x, d, // error: [nabla: wrong-role]
                           enzyme_out, 0L);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments that C would not convert to the parameter's type. */
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }
static double element(const double *x, long i) { return x[i]; }

double integer_for_float(long i) {
  return __enzyme_autodiff((void *)square, i); // error: [nabla: wrong-type]
}

double float_for_integer(double *x, double *d) {
  return __enzyme_autodiff((void *)element, x, d, 2.0); // error: [nabla: wrong-type]
}

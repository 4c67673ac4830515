// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments that C would not convert to the parameter's type. */
extern double __enzyme_autodiff(void *, ...);
static const int enzyme_out = 1;

static double square(double x) { return x * x; }
static double element(const double *x, long i) { return x[i]; }

double integer_for_float(long i) {
  return __enzyme_autodiff((void *)square, i); // error: [nabla: wrong-type]
}

double float_for_integer(double *x, double *d) {
  return __enzyme_autodiff((void *)element, x, d, 2.0); // error: [nabla: wrong-type]
}

double constant_for_marker(double x) {
  return __enzyme_autodiff((void *)square, // error-near: a marker is known ... [nabla: wrong-type]
                           enzyme_out, x);
}

typedef struct {
  double x[5];
} Powers;

static Powers powers(double x) { return (Powers){{x, x * x, x * x * x}}; }

double result_in_memory(double x) {
  return __enzyme_autodiff((void *)powers, // error-near: where it puts ... [nabla: wrong-type]
                           x);
}

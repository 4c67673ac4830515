// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A marker at the end, and one in front of another. */
extern int enzyme_out, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }
static double product(double x, double y) { return x * y; }

double last(double x) {
  return __enzyme_autodiff((void *)square, x,
                           enzyme_out); // error-near: [nabla: marker-without-argument]
}

double two(double x) {
  return __enzyme_autodiff((void *)product, // error: [nabla: marker-without-argument]
                           enzyme_out, enzyme_const, x, x);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fewer arguments than the function has, and no function at all. */
extern int enzyme_out;
extern double __enzyme_autodiff();

static double product(double x, double y) { return x * y; }

double one_missing(double x) {
  return __enzyme_autodiff((void *)product, enzyme_out, x); // error: [nabla: too-few-arguments]
}

double nothing(void) {
  return __enzyme_autodiff(); // error: [nabla: too-few-arguments]
}

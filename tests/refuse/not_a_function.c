// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that is not known at compile time. */
extern double __enzyme_autodiff(void *, ...);

double any(double (*f)(double), double x) {
  return __enzyme_autodiff((void *)f, x); // error: [nabla: not-a-function]
}

double table[3];
double data(double x) {
  return __enzyme_autodiff((void *)table, x); // error: [nabla: not-a-function]
}

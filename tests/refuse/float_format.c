// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A derivative through a format of 128 bits. */
extern double __enzyme_autodiff(void *, ...);

static double quadruple(double x) {
  return (double)(x * ((__float128)1 / 3)); // error: 128 bits ... [nabla: float-format]
}

double use(double x) { return __enzyme_autodiff((void *)quadruple, x); }

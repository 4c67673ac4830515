// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A derivative through a format other than float and double. */
extern double __enzyme_autodiff(void *, ...);

static double extended(double x) {
  return (double)(x * 1.1L); // error: [nabla: float-format]
}

double use(double x) { return __enzyme_autodiff((void *)extended, x); }

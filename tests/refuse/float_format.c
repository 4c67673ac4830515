// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A derivative through a format other than float and double. */
extern double __enzyme_autodiff(void *, ...);

static double extended(double x) {
  long double y = x; // error-near: [nabla: float-format]
  return (double)(y * y);
}

static double half(double x) {
  _Float16 y = (_Float16)x; // error-near: [nabla: float-format]
  return (double)(y * y);
}

double use(double x) {
  return __enzyme_autodiff((void *)extended, x) + __enzyme_autodiff((void *)half, x);
}

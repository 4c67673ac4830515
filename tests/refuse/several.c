// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* All that is wrong is said at once; what is right is compiled. */
extern double __enzyme_autodiff(void *, ...);
extern double unknown_one(double), unknown_two(double);

static double first(double x) {
  return unknown_one(x); // error: [nabla: no-rule]
}
static double second(double x) {
  return unknown_two(x) * x; // error: [nabla: no-rule]
}
static double square(double x) { return x * x; }

double use(double x) {
  return __enzyme_autodiff((void *)first, x) + __enzyme_autodiff((void *)second, x) +
         __enzyme_autodiff((void *)square) + // error: [nabla: too-few-arguments]
         __enzyme_autodiff((void *)square, x);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function called with another type than it has; optimisation may repair the call. */
// levels: -O0
extern double __enzyme_autodiff(void *, ...);

static double plain(double x) { return x * x; }

static double cast(double x) {
  return ((double (*)(double, double))plain)(x, 1); // error: [nabla: call]
}

double use(double x) { return __enzyme_autodiff((void *)cast, x); }

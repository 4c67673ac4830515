// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function called with another type than it has. */
extern double __enzyme_autodiff(void *, ...);

static double plain(double x) { return x * x; }

static double cast(double x) {
  return ((double (*)(float))plain)((float)x); // error: [nabla:
}

double use(double x) { return __enzyme_autodiff((void *)cast, x); }

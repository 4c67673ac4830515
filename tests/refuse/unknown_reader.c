// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function without body finds a number with a derivative in memory, and returns another; a
 * helper in between does not hide it. */
extern double __enzyme_autodiff(void *, ...);
extern double unknown(const double *number);

static double f(double x) {
  double square = x * x;   // error: unknown function ... [nabla: unknown-memory]
  return unknown(&square); // error: 'unknown' takes a value ... [nabla: no-rule]
}

extern double looks(const double *numbers) __attribute__((pure));
__attribute__((noinline)) static double helper(const double *numbers) {
  return looks(numbers); // error: 'looks' takes a value ... [nabla: no-rule]
}

static double through_helper(const double *x) { return 2 * helper(x); }

void gradient(double *x, double *d) { __enzyme_autodiff((void *)through_helper, x, d); }

double slope(double x) { return __enzyme_autodiff((void *)f, x); }

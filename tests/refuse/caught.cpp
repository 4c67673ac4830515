// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An exception is caught after which nobody knows what was written. */
extern double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static void step(double *y, double x) {
  y[0] = x * x;
  if (x < 0)
    throw 1;
  y[1] = x;
}

static double f(double x) {
  double y[2] = {1, 1};
  try {
    step(y, x); // error: written active memory ... [nabla: control-flow]
  } catch (int) {
    y[1] *= x;
  }
  return y[0] * y[1];
}

double slope(double x) { return __enzyme_autodiff((void *)f, x); }

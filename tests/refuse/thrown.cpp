// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A handler reads a number with a derivative out of what was thrown. */
extern double __enzyme_autodiff(void *, ...);

struct Rejected {
  double step;
};

static double f(double x) {
  try {
    if (x > 1)
      throw Rejected{x * x}; // error: is in an exception ... [nabla: control-flow]
    return x;
  } catch (const Rejected &r) {
    return 3 * r.step;
  }
}

double slope(double x) { return __enzyme_autodiff((void *)f, x); }

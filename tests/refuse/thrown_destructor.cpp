// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is thrown carries a number that its destructor uses, which runs nobody knows when. */
extern double __enzyme_autodiff(void *, ...);

static double total;

struct Rejected {
  double step;
  ~Rejected() { total += step; }
};

static double f(double x) {
  if (x > 1)
    throw Rejected{x * x}; // error: its destructor may use numbers ... [nabla: control-flow]
  return x * x;
}

double slope(double x) { return __enzyme_autodiff((void *)f, x); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The same where the function that throws it gives nothing else with a derivative. */
extern double __enzyme_autodiff(void *, ...);

static double total;

struct Rejected {
  double step;
  ~Rejected() { total += step; }
};

__attribute__((noinline)) static void check(double x) {
  if (x > 1)
    throw Rejected{x * x};
}

static double f(double x) {
  total = 0;
  try {
    check(x); // error: its destructor may use numbers ... [nabla: control-flow]
  } catch (const Rejected &) {
  }
  return total;
}

double slope(double x) { return __enzyme_autodiff((void *)f, x); }

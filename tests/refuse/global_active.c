// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A derivative through a global. */
extern double __enzyme_autodiff(void *, ...);

double last;
static __attribute__((noinline)) double recalled(void) { return last; }
static double remembered(double x) {
  last = x * x; // error-near: last ... [nabla: global-active]
  return recalled() * x;
}

double use(double x) { return __enzyme_autodiff((void *)remembered, x); }

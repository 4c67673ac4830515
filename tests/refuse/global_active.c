// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A derivative through a global, directly and through a pointer that a global holds. */
extern double __enzyme_autodiff(void *, ...);

double last;
static double remembered(double x) {
  last = x * x; // error-near: last ... [nabla: global-active]
  return last * x;
}

double use(double x) { return __enzyme_autodiff((void *)remembered, x); }

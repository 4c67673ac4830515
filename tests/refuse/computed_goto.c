// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A jump to a label that is computed. */
extern double __enzyme_autodiff(void *, ...);

static double jumps(double x, int k) {
  static void *labels[] = {&&one, &&two};
  goto *labels[k]; // error-near: [nabla: control-flow]
one:
  x = x * x;
two:
  return x * 2;
}

double use(double x, int k) { return __enzyme_autodiff((void *)jumps, x, k); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A refusal in a module that uses functions of a library whose bodies are models. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_dup;
extern double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
extern double unknown(double x);

static double energy(const double *x) {
  return unknown(cblas_ddot(3, x, 1, x, 1)); // error-near: [nabla: no-rule]
}

double use(double *x, double *dx) { return __enzyme_autodiff((void *)energy, enzyme_dup, x, dx); }

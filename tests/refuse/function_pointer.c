// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A call whose callee is not known. */
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_out;

static double applied(double (*f)(double), double x) {
  return f(x) * x; // error: [nabla: indirect-call]
}

double use(double (*f)(double), double x) {
  return __enzyme_autodiff((void *)applied, enzyme_const, f, enzyme_out, x);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A stack array whose size is known at run time. */
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static double reversed_dot(const double *x, int n) {
  double a[n]; // error-near: [nabla: dynamic-stack]
  for (int i = 0; i < n; i++)
    a[i] = x[n - 1 - i] * x[i];
  double r = 0;
  for (int i = 0; i < n; i++)
    r += a[i] * a[n - 1 - i];
  return r;
}

void use(double *x, double *d, int n) {
  __enzyme_autodiff((void *)reversed_dot, x, d, enzyme_const, n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A pointer that is to constant memory on one path and to active memory on the other. */
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static double either(const double *x, const double *k, int which) {
  const double *p = which ? x : k;
  return p[0] * p[1];
}

void use(double *x, double *d, double *k, int which) {
  __enzyme_autodiff((void *)either, enzyme_dup, x, d, enzyme_const, k, which);
}
// error-anywhere: [nabla: mixed-activity]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The reverse takes for active what the augmented forward took for constant. */
extern int enzyme_const, enzyme_dup;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

static double product(const double *x, const double *y) { return x[0] * y[0] * y[1]; }

void gradient(double *x, double *dx, double *y, double *dy) {
  void *tape = __enzyme_augmentfwd((void *)product, enzyme_const, x, enzyme_dup, y, dy);
  __enzyme_reverse((void *)product, enzyme_dup, x, dx, // error-near: [nabla: tape-mismatch]
                   enzyme_dup, y, dy, 1.0, tape);
}

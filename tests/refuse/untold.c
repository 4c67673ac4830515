// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Only a function that is not known reads and writes what the arguments lead to. */
extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);
void unknown(double *x, double *y);
void unknown_of_one(double *x);

static void passes_on(double *x, double *y) {
  unknown(x, y); // error: 'unknown' takes a value with a derivative ... [nabla: no-rule]
}

static void changes(double *x) {
  unknown_of_one(x); // error: 'unknown_of_one' takes a value with a derivative ... [nabla: no-rule]
}

void gradients(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)passes_on, enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_fwddiff((void *)changes, enzyme_dup, x, dx);
}

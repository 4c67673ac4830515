// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A library function without a rule, active and inactive; the message names it. */
extern double __enzyme_autodiff(void *, ...);
extern double mystery(double x);
extern void secret(double *x);

static double active(double x) {
  return mystery(x) * x; // error: [nabla: no-rule]
}

static double through_memory(double x) {
  double y[1] = {x}; // error: [nabla: unknown-memory]
  secret(y);         // error: [nabla: no-rule]
  return y[0];
}

extern double hidden(const double *x);
static double of_memory(const double *x) {
  return hidden(x); // error: [nabla: no-rule]
}

void use_memory(const double *x, double *dx) { __enzyme_autodiff((void *)of_memory, x, dx); }

double use(double x) {
  return __enzyme_autodiff((void *)active, x) + __enzyme_autodiff((void *)through_memory, x);
}

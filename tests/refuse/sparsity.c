// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Patterns that cannot be known. */
extern double __enzyme_sparsity(void *, ...);
extern double __enzyme_sparsity_of(void *, ...);

// error-near: more than numbers ... [nabla: sparsity]
__attribute__((noinline)) static double registered(const double *x, int n) { return x[0] * x[n]; }
static double registered_forward(const double *x, const double *dx, int n) {
  return x[0] * dx[n] + x[n] * dx[0];
}
void *__enzyme_register_derivative_registered[] = {(void *)registered, (void *)registered_forward};
static double calls(const double *x, int n) { return registered(x, n) * x[1]; }

double pattern(const double *x, const double *mask) {
  return __enzyme_sparsity((void *)calls, x, mask, 3);
}

double unknown(double x);
static double calls_unknown(double x) { return unknown(x) * x; } // error: [nabla: no-rule]

double of_unknown(double x, double mask) {
  return __enzyme_sparsity_of((void *)calls_unknown, x, mask);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A registration that would change derivatives, and is not known how. */
extern double __enzyme_autodiff(void *, ...);

double helper(double x) { return x * x; }
double slope(double x, double t) { return 2 * x * t; }
void *__enzyme_register_derivative_helper[] = {(void *)helper, (void *)slope};
static double twice(double x) { return 2 * helper(x); }

double use(double x) { return __enzyme_autodiff((void *)twice, x); }
// error-anywhere: __enzyme_register_derivative ... [nabla: entry-unsupported]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Derivatives of the user's that do not fit their function, or the way it is called. */
extern int enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }
// error-near: [nabla: custom-rule]
static double square_forward(float x, float dx) { return 2 * x * dx; }
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_forward};

static double cube(double x) { return x * x * x; }
static double cube_augmented(double x) { return x; }
static void cube_reverse(double x, double seed) {} // error-near: result ... [nabla: custom-rule]
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)cube_augmented,
                                           (void *)cube_reverse};

static double first(const double *x) { return x[0]; }
// error-near: number of parameters
static double first_augmented(const double *x, double *dx, int more) { return x[0]; }
static void first_reverse(const double *x, double *dx, double seed) { dx[0] += seed; }
void *__enzyme_register_gradient_first[] = {(void *)first, (void *)first_augmented,
                                            (void *)first_reverse};

static double weighted(const double *x, const double *w) { return x[0] * w[0]; }
static double weighted_augmented(const double *x, double *dx, const double *w, double *dw) {
  return x[0] * w[0];
}
static void weighted_reverse(const double *x, double *dx, const double *w, double *dw, double s) {
  dx[0] += s * w[0]; // error-near: is a shadow, and the argument is constant here
  dw[0] += s * x[0];
}
void *__enzyme_register_gradient_weighted[] = {(void *)weighted, (void *)weighted_augmented,
                                               (void *)weighted_reverse};

extern double elsewhere(double);
static double elsewhere_forward(double x, double dx) { return dx; }
// error-anywhere: is only declared here, and no gradient is registered for it ... [nabla: no-body]
void *__enzyme_register_derivative_elsewhere[] = {(void *)elsewhere, (void *)elsewhere_forward};
static double of_elsewhere(double x) { return 2 * elsewhere(x); }

void use(double *x, double *dx, double *w) {
  __enzyme_fwddiff((void *)square, 2.0, 1.0);
  __enzyme_autodiff((void *)cube, 2.0);
  __enzyme_autodiff((void *)first, x, dx);
  __enzyme_autodiff((void *)weighted, x, dx, enzyme_const, w);
  __enzyme_autodiff((void *)of_elsewhere, 2.0);
}

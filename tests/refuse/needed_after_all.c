// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An argument marked as not needed whose values the derivative reads. */
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed;

static void squared_in_place(const double *x, double *y) {
  y[0] = y[0] * y[0] * x[0]; // error-near: [nabla: needed]
}

void use(double *x, double *dx, double *dy) {
  __enzyme_autodiff((void *)squared_in_place, enzyme_dup, x, dx, enzyme_dupnoneed, (double *)0, dy);
}

/* The read moves out of the loop, where it has no line of its own. */
static void until_large(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    if (y[0] > 5) // error-near: [nabla: needed]
      break;
    y[0] += x[i] * x[i];
  }
}

void use_before_storing(double *x, double *dx, double *dy, int n) {
  __enzyme_autodiff((void *)until_large, enzyme_dup, x, dx, enzyme_dupnoneed, (double *)0, dy, n);
}

extern void cblas_dscal(int n, double alpha, double *x, int incx);

static void scaled_by_a_library(const double *x, double *y) {
  y[0] = x[0];
  cblas_dscal(1, x[1], y, 1); // error-near: 'cblas_dscal' ... [nabla: needed]
}

static void own(const double *x, double *y) { *y = *x; } // error-near: parameter 2 of 'own'
static void own_forward(const double *x, const double *dx, double *y, double *dy) {
  *y = *x;
  *dy = *dx;
}
void *__enzyme_register_derivative_own[] = {(void *)own, (void *)own_forward};

extern void __enzyme_fwddiff(void *, ...);

void use_functions(double *x, double *dx, double *dy) {
  __enzyme_autodiff((void *)scaled_by_a_library, enzyme_dup, x, dx, enzyme_dupnoneed, (double *)0,
                    dy);
  __enzyme_fwddiff((void *)own, enzyme_dup, x, dx, enzyme_dupnoneed, (double *)0, dy);
}

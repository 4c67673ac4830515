// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode with a tape that nobody makes, or that is not its own; functions for which it cannot
 * come later than the primal. */
extern int enzyme_const, enzyme_dup, enzyme_width;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_reverse(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);

static double square(double x) { return x * x; }
static double first(const double *x) { return x[0] * x[0]; }
static double second(const double *x) { return x[1] * x[1]; }
static double third(const double *x) { return x[2] * x[2]; }

double no_tape(double x) {
  return __enzyme_fwdsplit((void *)square, x, 1.0); // error: [nabla: missing-tape]
}

double not_made_here(const double *x, double *d, void *tape) {
  return __enzyme_fwdsplit((void *)first, x, d, tape); // error: nobody ... [nabla: tape-mismatch]
}

double made_for_other_roles(const double *x, double *d) {
  void *tape = __enzyme_augmentfwd((void *)second, enzyme_const, x);
  return __enzyme_fwdsplit((void *)second, x, d, tape); // error: nobody ... [nabla: tape-mismatch]
}

void for_both(const double *x, double *d) {
  void *tape = __enzyme_augmentfwd((void *)third, x, d);
  __enzyme_fwdsplit((void *)third, x, d, tape);
  __enzyme_reverse((void *)third, x, d, 1.0, tape); // error: no reverse can read them
}

static const double table[] = {1, 2, 3, 4};
static double either(const double *x, int which) {
  const double *p = which ? x : table;
  return p[0] * p[1]; // error-near: only the run tells ... [nabla: entry-unsupported]
}

double of_either(const double *x, double *d, int which) {
  void *tape = __enzyme_augmentfwd((void *)either, x, d, which);
  return __enzyme_fwdsplit((void *)either, x, d, which, tape);
}

static double own(double *x) { return x[0]; }
// error-near: its parameter 2 is a shadow, which the augmented forward ... [nabla: custom-rule]
static double own_augmented(double *x, double *dx) { return x[0] + dx[0]; }
static double own_forward(double *x, double *dx) { return dx[0]; }
void *__enzyme_register_splitderivative_own[] = {(void *)own, (void *)own_augmented,
                                                 (void *)own_forward};

double of_own(double *x, double *d) {
  void *tape = __enzyme_augmentfwd((void *)own, x, d);
  return __enzyme_fwdsplit((void *)own, x, d, tape);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Several directions at once that do not fit the call, or what it differentiates. */
extern int enzyme_width, enzyme_dup, enzyme_dupv, enzyme_interleave;
extern double __enzyme_fwddiff(void *, ...);
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }
static double element(const double *x) { return x[0] * x[1]; }

double variable(double x, int n) {
  return __enzyme_fwddiff((void *)square, enzyme_width, n, x, 1.0); // error: [nabla: wrong-marker]
}

double none(double x) {
  return __enzyme_fwddiff((void *)square, enzyme_width, 0, x); // error: [nabla: wrong-marker]
}

double many(double x) {
  return __enzyme_fwddiff((void *)square, enzyme_width, 1000, x); // error: [nabla: wrong-marker]
}

double too_few(double x) {
  return __enzyme_fwddiff((void *)square, // error-near: [nabla: missing-shadow]
                          enzyme_width, 2, x, 1.0);
}

double one_result(double x) {
  return __enzyme_fwddiff((void *)square, // error-near: [nabla: wrong-result]
                          enzyme_width, 2, x, 1.0, 2.0);
}

double no_memory(double x) {
  return __enzyme_fwddiff((void *)square, // error-near: in memory ... [nabla: wrong-role]
                          enzyme_dupv, 8, x, 1.0);
}

double no_distance(const double *x, double *d) {
  return __enzyme_fwddiff((void *)element, // error-near: bytes ... [nabla: wrong-type]
                          enzyme_dupv, x, d, x, d);
}

double too_few_behind(const double *x) {
  return __enzyme_fwddiff((void *)element, // error-near: [nabla: marker-without-argument]
                          enzyme_dup, x, enzyme_interleave);
}

double in_front(double x) {
  return __enzyme_fwddiff((void *)square, // error-near: behind ... [nabla: wrong-marker]
                          enzyme_interleave, x, 1.0);
}

double twice(const double *x, const double *d) {
  return __enzyme_fwddiff((void *)element, // error-near: once ... [nabla: wrong-marker]
                          enzyme_dup, x, enzyme_interleave, d, enzyme_interleave, d);
}

static double state, d_state;
void *__enzyme_shadow_global_state[] = {&state, &d_state};
static double times(double x) { return state * x; }

void global(double x) {
  __enzyme_fwddiff((void *)times, enzyme_width, 2, // error-near: room for 1 directions
                   x, 1.0, 2.0);
}

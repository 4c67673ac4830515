// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Directions side by side: how the arguments must be marked. */
extern int __enzyme_fwdinterleaved(void *, ...);
extern int __enzyme_fwdsites(void *, ...);
extern int enzyme_dup, enzyme_dupv, enzyme_width;

static void square(const double *x, double *y) { *y = *x * *x; }
static double result(const double *x, double *y) { return *y = *x * *x; }

int apart(const double *x, const double *dx, double *y, double *dy) {
  return __enzyme_fwdinterleaved( // error: side by side ... [nabla: wrong-role]
      (void *)square, enzyme_width, 2, enzyme_dupv, 8, x, dx, enzyme_dup, y, dy);
}

int at_a_distance(const double *x, double *value, double *y, const int *place) {
  return __enzyme_fwdsites( // error: side by side ... [nabla: wrong-role]
      (void *)square, enzyme_width, 2, enzyme_dupv, 8, x, value, enzyme_dup, y, place);
}

int without_inputs(const double *x, double *value, double *y, const int *place) {
  return __enzyme_fwdsites( // error: must be its input, marked ... [nabla: wrong-role]
      (void *)square, enzyme_width, 2, enzyme_dup, x, value, enzyme_dup, y, place);
}

int of_a_result(const double *x, const double *dx, double *y, double *dy) {
  return __enzyme_fwdinterleaved( // error: return nothing ... [nabla: wrong-type]
      (void *)result, enzyme_width, 2, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

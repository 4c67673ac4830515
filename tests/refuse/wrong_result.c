// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Results that the derivative does not have. */
typedef struct {
  double x, y, z;
} Double3;
extern Double3 __enzyme_autodiff_three(void *, ...);
extern double __enzyme_autodiff(void *, ...);
extern void *__enzyme_fwddiff_pointer(void *, ...);

static double square(double x) { return x * x; }
static void fill(double *x) { x[0] = x[0] * x[0]; }

double three_for_one(double x) {
  return __enzyme_autodiff_three((void *)square, x).z; // error: [nabla: wrong-result]
}

double result_for_none(double *x, double *d) {
  return __enzyme_autodiff((void *)fill, x, d); // error: [nabla: wrong-result]
}

void *pointer_for_float(double x) {
  return __enzyme_fwddiff_pointer((void *)square, x, 1.0); // error: [nabla: wrong-result]
}

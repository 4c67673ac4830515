// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Markers that nobody knows, and one that is known and not served yet. */
extern int enzyme_duplicate, enzyme_trace, enzyme_of_another_world;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }

double unknown(double x) {
  return __enzyme_autodiff((void *)square, enzyme_duplicate, x); // error: [nabla: marker-unknown]
}

double far(double x) {
  return __enzyme_autodiff((void *)square, enzyme_of_another_world, // error: no known role; declare
                           x);
}

double later(double x) {
  return __enzyme_fwddiff((void *)square, enzyme_trace, 1, x, 1.0); // error: enzyme_trace
}

extern int enzyme_dup_no_need;
double near(double *x, double *d) {
  return __enzyme_autodiff((void *)square, // error: the nearest is 'enzyme_dupnoneed'
                           enzyme_dup_no_need, x, d);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Values behind pointers that are of another size, or not there. */
extern int enzyme_byref;
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }

double other_size(float *x) {
  return __enzyme_autodiff((void *)square, enzyme_byref, 4, x); // error: [nabla: wrong-type]
}

double no_pointer(double x) {
  return __enzyme_autodiff((void *)square, enzyme_byref, 8, x); // error: [nabla: wrong-type]
}

double unknown_size(double *x, int n) {
  return __enzyme_autodiff((void *)square, enzyme_byref, n, x); // error: [nabla: wrong-type]
}

double nothing(void) {
  return __enzyme_autodiff((void *)square, // error-near: [nabla: marker-without-argument]
                           enzyme_byref);
}

static double real_part(double _Complex z) { return __real__ z; }
extern double _Complex __enzyme_autodiff_complex(void *, ...);

double _Complex half_a_number(double _Complex *z) {
  return __enzyme_autodiff_complex((void *)real_part, // error-near: [nabla: too-few-arguments]
                                   enzyme_byref, 8, z);
}

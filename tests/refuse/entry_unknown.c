// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A name of the vocabulary's shape that is not in it; the one next to it is served. */
extern double __enzyme_autodif(void *, ...);
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_gradient_of(void *, ...);

static double square(double x) { return x * x; }

double misspelt(double x) {
  return __enzyme_autodif((void *)square, x); // error: [nabla: entry-unknown]
}

double invented(double x) {
  return __enzyme_gradient_of((void *)square, x); // error: [nabla: entry-unknown]
}

double right(double x) { return __enzyme_autodiff((void *)square, x); }

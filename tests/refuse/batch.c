// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Batches that do not fit the function, and markers that are not for them. */
extern int enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer, enzyme_dup, enzyme_noret;
extern double __enzyme_batch(void *, ...);
extern void __enzyme_batch_void(void *, ...);
extern struct Big {
  double x[5];
} __enzyme_batch_big(void *, ...);
extern double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }
static double element(const double *x) { return x[0]; }
static struct Big big(double x) { return (struct Big){{x}}; }
static double any(int n, ...) { return n; }

void too_few(double x) {
  __enzyme_batch((void *)square, // error-near: lane 2 of 2 ... [nabla: too-few-arguments]
                 enzyme_width, 2, x);
}

void marker_between(double x) {
  __enzyme_batch((void *)square, // error-near: a marker follows ... [nabla: too-few-arguments]
                 enzyme_width, 2, x, enzyme_scalar, x);
}

void too_many(double x) {
  __enzyme_batch((void *)square, // error-near: [nabla: too-many-arguments]
                 enzyme_width, 2, x, x, x);
}

void no_distance(double *x) {
  __enzyme_batch((void *)element, // error-near: bytes between ... [nabla: wrong-type]
                 enzyme_width, 2, enzyme_buffer, x, x);
}

void no_memory(double x) {
  __enzyme_batch((void *)square, // error-near: [nabla: wrong-type]
                 enzyme_width, 2, enzyme_buffer, 8, x);
}

double two_as_one(double x) {
  return __enzyme_batch((void *)square, // error-near: [nabla: wrong-result]
                        enzyme_width, 2, x, x);
}

void one_as_big(double x) {
  __enzyme_batch_big((void *)big, // error-near: 2 lanes ... [nabla: wrong-result]
                     enzyme_width, 2, x, x);
}

void with_shadow(double x) {
  __enzyme_batch((void *)square, enzyme_dup, x, 1.0); // error: [nabla: wrong-marker]
}

void without_result(double x) {
  __enzyme_batch((void *)square, enzyme_noret, x); // error: [nabla: wrong-marker]
}

void lanes_of_a_derivative(double x) {
  __enzyme_autodiff((void *)square, enzyme_vector, x); // error: lanes ... [nabla: wrong-marker]
}

void variadic(int n) {
  __enzyme_batch_void((void *)any, n); // error: batched ... [nabla: entry-unsupported]
}

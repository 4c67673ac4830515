// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Entry points and markers that are known and not served yet. */
extern int enzyme_trace;
extern double __enzyme_trace(void *, ...);
extern void *__enzyme_todense(void *);
extern double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }

double forward(double x) {
  return __enzyme_trace((void *)square, x, 1.0); // error: [nabla: entry-unsupported]
}

void *pointer(void) {
  return __enzyme_todense((void *)square); // error: [nabla: entry-unsupported]
}

double traced(double x) {
  return __enzyme_fwddiff((void *)square, enzyme_trace, 2, x, 1.0); // error: enzyme_trace
}

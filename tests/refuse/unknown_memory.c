// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Active memory that a function of another file has given. */
extern double __enzyme_autodiff(void *, ...);
extern double *memory_of(int k);

static double through(double x) {
  *memory_of(1) = x * x;
  return *memory_of(2) * x;
}

double use(double x) { return __enzyme_autodiff((void *)through, x); }
// error-anywhere: [nabla: unknown-memory]

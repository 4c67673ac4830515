// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function of another file. */
extern double __enzyme_autodiff(void *, ...);
extern double elsewhere(double x);

double use(double x) {
  return __enzyme_autodiff((void *)elsewhere, x); // error: elsewhere ... [nabla: no-body]
}

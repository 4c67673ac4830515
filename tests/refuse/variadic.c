// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function with a variable number of arguments. */
#include <stdarg.h>
extern double __enzyme_autodiff(void *, ...);

static double sum(double x, ...) {
  va_list list;
  va_start(list, x);
  double y = va_arg(list, double);
  va_end(list);
  return x * y;
}

double use(double x) {
  return __enzyme_autodiff((void *)sum, x);
} // error-near: variable number ... [nabla: entry-unsupported]

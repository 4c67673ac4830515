// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Active values among the variable arguments of a function that computes with them. */
#include <stdarg.h>
extern double __enzyme_autodiff(void *, ...);

static __attribute__((noinline)) double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double r = 0;
  for (int i = 0; i < n; i++)
    r += va_arg(list, double);
  va_end(list);
  return r;
}

static double squares(double x) {
  return sum(2, x, x * x); // error: variable arguments of 'sum' ... [nabla: no-rule]
}

double use(double x) { return __enzyme_autodiff((void *)squares, x); }

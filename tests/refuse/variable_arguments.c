// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Active values among the variable arguments of a function whose place in memory is not known: two
 * integers may be halves of one that lies on a multiple of 16 bytes, as `long double` does. */
#include <stdarg.h>
extern double __enzyme_autodiff(void *, ...);

static __attribute__((noinline)) double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double r = va_arg(list, double);
  for (int i = 0; i < n; i++)
    r *= va_arg(list, long);
  r += (double)va_arg(list, long double);
  va_end(list);
  return r;
}

static double squares(double x) {
  return sum(2, x, 2L, 3L, (long double)x);
} // error-near: variable arguments of 'sum' ... [nabla: no-rule]

double use(double x) { return __enzyme_autodiff((void *)squares, x); }

extern double elsewhere(int n, ...);

static double calls_elsewhere(double x) {
  return elsewhere(1, x); // error: [nabla: no-rule]
}

double use_elsewhere(double x) { return __enzyme_autodiff((void *)calls_elsewhere, x); }

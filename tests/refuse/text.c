// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Text over numbers, also where a function writes it that knows of no numbers there. */
#include <stdio.h>
#include <wchar.h>

extern void __enzyme_autodiff(void *, ...);
extern int printed;

static __attribute__((noinline)) void print(char *to) {
  printed = swprintf((wchar_t *)to, 2, L"%d", printed); // error: [nabla: no-rule]
}

static double through_a_helper(double *x) {
  print((char *)(x + 1));
  return x[0] * x[1];
}

static double here(double *x) {
  swprintf((wchar_t *)(x + 1), 2, L"%d", printed); // error: [nabla: no-rule]
  return x[0] * x[1];
}

void use(double *x, double *dx) {
  __enzyme_autodiff((void *)through_a_helper, x, dx);
  __enzyme_autodiff((void *)here, x, dx);
}

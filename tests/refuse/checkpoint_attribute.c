// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the pragma and the attribute of loops do not mean. */
// load: -fplugin
// llvm: 22
#include <math.h>

__attribute__((enzyme_checkpoint)) void on_a_function(void); // error: applies to loops

double no_such_schedule(double x) {
  __attribute__((enzyme_checkpoint("sometimes"))) // error: a schedule is
  for (int i = 0; i < 9; i++)
    x *= x;
  return x;
}
double not_constant(double x, int states) {
  __attribute__((enzyme_checkpoint("revolve", states))) // error: must be a constant integer
  for (int i = 0; i < 9; i++)
    x *= x;
  return x;
}
double no_loop(double x) {
  __attribute__((enzyme_checkpoint("revolve"))) // error: applies to loops
  if (x > 0)
    x = sin(x);
  return x;
}
double no_such_pragma(double x) {
#pragma enzyme recompute // error: knows 'checkpoint' only
  for (int i = 0; i < 9; i++)
    x *= x;
  return x;
}

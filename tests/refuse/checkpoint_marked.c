// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Marks of loops that cannot be checkpointed as they stand. */
#include <enzyme/checkpoint.h>
#include <math.h>

extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

double in_no_loop(double x) {
  __enzyme_set_checkpointing(2, 3); // error: it stands in no loop ... [nabla: checkpoint]
  return x * x;
}
double no_such_schedule(double x) {
  for (int i = 0; i < 9; i++) {
    __enzyme_set_checkpointing(9, 3); // error: there is no such schedule
    x *= x;
  }
  return x;
}
double not_constant(double x, int states) {
  for (int i = 0; i < 9; i++) {
    __enzyme_set_checkpointing(2, states); // error: are not constants
    x *= x;
  }
  return x;
}
double goes_on_elsewhere(double x, int i) {
  for (; i < 9; i++) {
    __enzyme_set_checkpointing(2, 3); // error: left to several places
    x *= x;
    if (x > 4)
      goto large;
  }
  while (x > 2)
    x = sin(x);
  return x;
large:
  while (x > 1)
    x = cos(x);
  return x;
}
void swaps(double *u, double *v, int n) {
  for (int i = 0; i < n; i++) {
    __enzyme_set_checkpointing(2, 3); // error: hands a pointer from one iteration to the next
    v[0] = u[0] * u[0];
    double *other = u;
    u = v;
    v = other;
  }
}
void never_ends(double *u) {
  for (;;) {
    __enzyme_set_checkpointing(2, 3); // error: it never ends
    u[0] *= u[0];
  }
}

static void scatters(double *x, const int *at) {
  for (int i = 0; i < 4; i++) {
    __enzyme_set_checkpointing(2, 3);
    x[at[i]] *= x[0]; // error-near: write the step as a function ... [nabla: checkpoint]
  }
}
void use_scatters(double *x, double *d, const int *at) {
  __enzyme_autodiff((void *)scatters, x, d, enzyme_const, at);
}

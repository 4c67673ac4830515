// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The pragma and the attribute of loops. The reference, which knows neither, ignores both. */
// shows: #pragma enzyme checkpoint; enzyme_checkpoint; enzyme_checkpointing_enable
// load: -fplugin
// differences: none
// split: none
// lto: none
// llvm: 22
#include "cases.h"

#pragma clang diagnostic ignored "-Wunknown-pragmas"

#if defined(__cplusplus) && !defined(NB_SUBJECT)
#define CHECKPOINT(...)
#else
#define CHECKPOINT(...) __attribute__((enzyme_checkpoint(__VA_ARGS__)))
#endif

NOINLINE static void curve(real *x, int n, int i) {
  for (int k = 0; k < n; k++)
    x[k] += (real)0.125 * sin(x[k] + (real)0.5 * (real)i);
}

enum { STATES = 3 };

MAP(pragma_with_states, 3, 1, 0.5, -1.0, 2.0) {
#pragma enzyme checkpoint("revolve", STATES - 1)
  for (int i = 0; i < 9; i++)
    curve(x, n, i);
  y[0] = x[0] * x[1] + x[2];
}
MAP(pragma_alone, 3, 1, 0.5, -1.0, 2.0) {
  if (n > 2)
#pragma enzyme checkpoint
    for (int i = 0; i < 9; i++)
      curve(x, n, i);
  y[0] = x[0] * x[1] + x[2];
}
#if defined(__cplusplus) && !defined(NB_SUBJECT)
#define CHECKPOINTING(...)
#else
#define CHECKPOINTING(...) __attribute__((enzyme_checkpointing_enable(__VA_ARGS__)))
#endif

MAP(attribute_of_old, 3, 1, 0.5, -1.0, 2.0) {
  CHECKPOINTING("revolve", 2) for (int i = 0; i < 9; i++) curve(x, n, i);
  y[0] = x[0] * x[1] + x[2];
}
MAP(attribute_of_for, 3, 1, 0.5, -1.0, 2.0) {
  CHECKPOINT("store_all") for (int i = 0; i < 9; i++) curve(x, n, i);
  y[0] = x[0] * x[1] + x[2];
}
MAP(attribute_of_while, 3, 1, 0.5, -1.0, 2.0) {
  int i = 0;
  CHECKPOINT("binomial", 2) while (i < 9) curve(x, n, i++);
  y[0] = x[0] * x[1] + x[2];
}
MAP(attribute_of_do, 3, 1, 0.5, -1.0, 2.0) {
  int i = 0;
  CHECKPOINT("regular", 2) do curve(x, n, i++);
  while (i < 9)
    ;
  y[0] = x[0] * x[1] + x[2];
}

#if !defined(__cplusplus) || defined(NB_SUBJECT)
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

NOINLINE static void count(double *x, int *runs) {
  x[0] *= 0.5;
  ++*runs;
}
static double counted(double *x, int *runs) {
#pragma enzyme checkpoint("revolve", 2)
  for (int i = 0; i < 5; i++)
    count(x, runs);
  return x[0] * *runs;
}
/* What the steps count is part of the state. */
CHECK(the_state_is_put_back) {
  double x = 1, d = 0;
  int runs = 0;
  __enzyme_autodiff((void *)counted, enzyme_dup, &x, &d, enzyme_const, &runs);
  EXPECT(d, 5.0 / 32);
  EXPECT((double)runs, 5);
}
#endif

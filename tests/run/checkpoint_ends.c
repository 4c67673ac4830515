// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Checkpointed loops in which the program may end. */
// load: -fplugin
// differences: none
// split: none
// lto: none
// flags: -fsanitize=undefined -fno-sanitize-recover=all
#include "cases.h"
#include "loops_of_steps.h"

NOINLINE static void curve(int64_t i, real *x, int n) {
  for (int k = 0; k < n; k++)
    x[k] += (real)0.125 * sin(x[k] + (real)0.5 * (real)(int)i);
}

/* Memory that is freed behind the loop, unless the program ends before. */
MAP(own_memory, 3, 1, 0.5, -1.0, 2.0) {
  real *u = (real *)malloc((size_t)n * sizeof(real));
  for (int k = 0; k < n; k++)
    u[k] = x[k] * x[k];
  LOOP(curve, 8, 2, u, n);
  for (int k = 0; k < n; k++)
    y[0] += u[k] * x[k];
  free(u);
}

/* --- Loops that are marked --- */

MAP(scalars, 2, 1, 3.0, 0.5) {
  real time = x[0] * (real)0.25, product = 1, last = 0;
  for (int i = 0; i < 7; i++) {
    MARK(2);
    product *= x[1] + time;
    time += (real)0.0625 * sin(product);
    last = time * x[0];
  }
  y[0] = product + time * last;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* A number lies over several small members of a struct, in memory that nothing else is known of: at
 * -O0 its bytes are moved in pieces too short for a float. */
#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

typedef struct {
  double d;
  short a, b, c, e;
} Four;

static double of_four(Four f) {
  double y;
  memcpy(&y, &f.a, sizeof y);
  return y * f.d;
}

static double over_four(const double *x) {
  Four f = {x[0], 0, 0, 0, 0};
  memcpy(&f.a, &x[1], sizeof x[1]);
  Four copy = f;
  return of_four(copy);
}

void first(double *x, double *dx) { __enzyme_autodiff((void *)over_four, enzyme_dup, x, dx); }
// error-anywhere: [nabla: integer-carrier]

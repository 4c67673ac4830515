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

typedef struct {
  char tag;
  unsigned char rest[7];
  double d;
} Tagged;

static double of_tagged(Tagged t) {
  double y;
  memcpy(&y, &t, sizeof y);
  return y * t.d;
}

static double over_tag(const double *x) {
  Tagged t;
  t.d = x[0];
  memcpy(&t, &x[1], sizeof x[1]);
  Tagged copy = t;
  return of_tagged(copy);
}

void second(double *x, double *dx) { __enzyme_autodiff((void *)over_tag, enzyme_dup, x, dx); }
// error-anywhere: [nabla: integer-carrier]
// error-anywhere: [nabla: integer-carrier]

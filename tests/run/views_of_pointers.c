// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reals: double
/* Numbers that are copied over a pointer, or over a shorter number, in a block that is used again:
 * the run tells which it is. */
#include "cases.h"

static real nothing[4] = {1, 2, 3, 4};

typedef struct {
  real *at;
  real v;
} Pointing;

typedef struct {
  single s;
  wide v;
} Short;

MAP(numbers_over_a_pointer, 3, 3, 0.5, 1.5, 2.5) {
  real *from = (real *)malloc(2 * sizeof(real));
  Pointing *to = (Pointing *)malloc(2 * sizeof(Pointing));
  to->at = x;
  to->v = x[1];
  y[1] = *to->at * to->v;
  from[0] = x[2] * x[2];
  from[1] = x[1];
  memcpy(to, from, 2 * sizeof(real));
  real *numbers = (real *)to;
  y[0] = numbers[0] + sin(numbers[1]);
  free(from);
  free(to);
}

static NOINLINE void point(Pointing *to, real *x) {
  to->at = x;
  to->v = x[1];
}

static NOINLINE real pointed(const Pointing *to) { return *to->at * to->v; }

MAP(numbers_over_a_pointer_of_helpers, 3, 3, 0.5, 1.5, 2.5) {
  char *from = (char *)malloc(2 * sizeof(Pointing));
  char *to = (char *)malloc(2 * sizeof(Pointing));
  ((real *)from)[0] = x[2] * x[2];
  ((real *)from)[1] = x[1] * x[0];
  point((Pointing *)to, x);
  y[1] = pointed((Pointing *)to);
  memcpy(to, from, 2 * sizeof(real));
  y[0] = ((real *)to)[0] * ((real *)to)[1];
  free(from);
  free(to);
}

MAP(numbers_over_a_shorter_one, 3, 3, 0.5, 1.5, 2.5) {
  real *from = (real *)malloc(2 * sizeof(Short));
  char *to = (char *)malloc(2 * sizeof(Short));
  ((Short *)to)->s = (single)x[0];
  y[1] = ((Short *)to)->s;
  from[0] = x[2] * x[2];
  from[1] = x[1];
  memcpy(to, from, 2 * sizeof(real));
  y[0] = ((real *)to)[0] + ((real *)to)[1];
  free(from);
  free(to);
}

MAP(constants_before_a_pointer, 3, 3, 0.5, 1.5, 2.5) {
  char *block = (char *)malloc(4 * sizeof(Pointing));
  memcpy(block, nothing, sizeof nothing);
  for (int i = 0; i < 4; i++)
    y[0] += sin(((real *)block)[i]) * x[0];
  point((Pointing *)(block + 2 * sizeof(real)), x);
  y[1] = pointed((Pointing *)(block + 2 * sizeof(real)));
  free(block);
}

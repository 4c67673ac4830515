// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers and structs that are copied byte by byte within one array, where nothing but addresses
 * says that both ends lie apart. */
#include "cases.h"

static void copy(void *to, const void *from, size_t bytes) {
  char *p = (char *)to;
  const char *q = (const char *)from;
  for (size_t i = 0; i < bytes; i++)
    p[i] = q[i];
}

SUM(number_copied_within_an_array, 4, 1.0, 2.0, 3.0, 4.0) {
  copy(x + 2, x, sizeof *x);
  return x[0] * x[2] + x[1] * x[3] * x[n - 1];
}

SUM(number_copied_onto_one_that_is_chosen, 4, 1.0, 2.0, 3.0, 4.0) {
  real *to = x + (x[0] > 0 ? 2 : 0);
  if (to != x)
    copy(to, x, sizeof *x);
  return x[0] * x[2] + x[1] * x[3] * x[n - 1];
}

SUM(larger_ones_copied_down, 4, 1.0, 4.0, 3.0, 5.0) {
  for (int i = 0; i + 1 < n; i++) {
    if (x[i] < x[i + 1])
      copy(x + i, x + i + 1, sizeof *x);
    x[i + 1] *= 2;
  }
  return x[0] * x[1] + x[2] * x[3];
}

typedef struct {
  real a, b;
  int k;
} Triple;

SUM(structs_copied_within_an_array, 4, 1.0, 2.0, 3.0, 4.0) {
  Triple s[3] = {{x[0], x[1], 1}, {x[2], x[3], n}, {0, 0, 0}};
  copy(s + 2, s + (x[0] < x[1]), sizeof *s);
  return s[2].a * (real)s[2].k + s[2].b * s[0].b;
}

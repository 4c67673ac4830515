// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Vectors as the compiler has them: reductions, and lanes chosen by masks. The reference has loops.
 */
#include "cases.h"

#ifdef __cplusplus
static real largest(const real *v) { return fmax(fmax(v[0], v[1]), fmax(v[2], v[3])); }
static real smallest(const real *v) { return fmin(fmin(v[0], v[1]), fmin(v[2], v[3])); }
static void choose(const real *a, const real *b, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = a[i] < b[i] ? a[i] * b[i] : b[i];
}
static void keep(const real *a, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = a[i] < 2.5 ? real(0) : a[i] * a[i];
}
#else
typedef real Four __attribute__((vector_size(4 * sizeof(real))));
typedef __typeof__((Four){0} < (Four){0}) Mask;

static Four four(const real *v) { return (Four){v[0], v[1], v[2], v[3]}; }
static void spread(Four v, real *to) {
  for (int i = 0; i < 4; i++)
    to[i] = v[i];
}
static real largest(const real *v) { return __builtin_reduce_max(four(v)); }
static real smallest(const real *v) { return __builtin_reduce_min(four(v)); }
static void choose(const real *x, const real *y, real *to) {
  Four a = four(x), b = four(y);
  Mask less = a < b;
  spread((Four)((less & (Mask)(a * b)) | (~less & (Mask)b)), to);
}
static void keep(const real *x, real *to) {
  Four a = four(x);
  Mask less = a < (real)2.5;
  spread((Four)(~less & (Mask)(a * a)), to);
}
#endif

SUM(vector_reduced, 4, 1.0, 2.0, 3.0, 4.0) {
  real v[4];
  for (int i = 0; i < 4; i++)
    v[i] = x[i] * x[i] - 3.5 * x[i] + x[0] * i;
  return largest(v) * x[0] + smallest(v) * x[n - 1];
}

MAP(lanes_chosen, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  real a[4], b[4];
  for (int i = 0; i < 4; i++) {
    a[i] = x[n - 1 - i] * x[0];
    b[i] = x[i] * x[2] + 0.25;
  }
  choose(a, b, y);
}

MAP(lanes_kept, 4, 4, 1.0, 2.0, 3.0, 4.0) {
  keep(x, y);
  y[0] += x[n - 1] * y[3];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers in long double, between doubles and in memory. */
// differences: none
#include "cases.h"

SCALAR2(extended_detour, 1.5, 0.25, -2.0, 3.0) {
  extended a = (extended)x;
  extended b = a * (extended)y + a;
  return (real)(b / (a * a + (extended)1.0));
}

SUM(extended_accumulator, 4, 1.0, 2.0, 3.0, 4.0) {
  extended sum = (extended)0.0;
  for (int i = 0; i < n; i++)
    sum += (extended)x[i] * (extended)x[i];
  return (real)sqrtl(sum + (extended)1.0);
}

MAP(extended_array, 3, 3, 1.0, 2.0, 3.0) {
  extended kept[8];
  for (int i = 0; i < n; i++)
    kept[i] = (extended)x[i] * (extended)x[i];
  for (int i = 0; i < n; i++)
    y[i] = (real)(kept[n - 1 - i] * kept[i]);
}

MAP(extended_copies, 3, 3, 1.0, 2.0, 3.0) {
  extended a[3];
  extended b[3];
  memset(a, 0, sizeof a);
  for (int i = 0; i + 1 < n; i++)
    a[i] = (extended)x[i] * (extended)x[i + 1];
  memcpy(b, a, sizeof a);
  memmove(b, b + 1, 2 * sizeof *b);
  for (int i = 0; i < n; i++)
    y[i] = (real)(b[i] * b[0]);
}

typedef struct {
  single s;
  extended e;
  int k;
  wide w;
} Mixed;

static Mixed NOINLINE mixed_of(real x, int k) {
  Mixed m;
  m.s = (single)x;
  m.e = (extended)x * (extended)x;
  m.k = k;
  m.w = (wide)x * (wide)2.0;
  return m;
}

SUM(extended_in_struct, 3, 1.0, 2.0, 3.0) {
  Mixed all[4];
  for (int i = 0; i < n; i++)
    all[i] = mixed_of(x[i], i);
  Mixed swapped = all[0];
  all[0] = all[n - 1];
  all[n - 1] = swapped;
  extended sum = (extended)0.0;
  for (int i = 0; i < n; i++)
    sum += all[i].e * (extended)(wide)all[i].k + (extended)all[i].w * (extended)all[i].s;
  return (real)sum;
}

SCALAR2(extended_functions, 1.5, 0.25, 0.5, 3.0) {
  extended a = sinl((extended)x) + expl((extended)y);
  extended b = powl((extended)x, (extended)y) + atan2l((extended)y, a);
  return (real)(hypotl(a, b) + logl(b) + fabsl(a - b));
}

SUM(extended_heap, 4, 1.0, 2.0, 3.0, 4.0) {
  extended *p = (extended *)malloc((size_t)n * sizeof *p);
  for (int i = 0; i < n; i++)
    p[i] = i ? p[i - 1] * (extended)x[i] : (extended)x[0];
  real result = (real)(p[n - 1] + p[n / 2]);
  free(p);
  return result;
}

SCALAR1(extended_while, 0.5, 2.0) {
  extended t = (extended)x;
  int k = 0;
  while (t < (extended)100.0 && k < 20) {
    t = t * t + (extended)x;
    k++;
  }
  return (real)t;
}

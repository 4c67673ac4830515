// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What prepare-masked.ll does, in loops, and the comparison of the derivatives. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 12 };

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int enzyme_dup;
void masked_reverse(double *p, double *d);
double masked_forward(double *p, double *d);

#ifdef PREDICATED
#include "predicated.h"
#else
static double plain(double *p) {
  static const int places[4] = {9, 0, 3, 8};
  double v[4], e[4], sum = 0;
  int there[4], next = 8, kept = 8;
  for (int i = 0; i < 4; i++) {
    v[i] = p[i];
    there[i] = v[i] > 2;
    double a = there[i] ? p[4 + i] : v[i];
    if (there[i])
      p[4 + i] = a * v[i];
  }
  for (int i = 0; i < 4; i++)
    e[i] = (i == 1 ? 0 : p[4 + i]) * (there[i] ? p[next++] : v[i]);
  for (int i = 0; i < 4; i++)
    if (there[i])
      p[kept++] = e[i];
  for (int i = 0; i < 4; i++) {
    double f = there[i] ? p[places[i]] : e[i];
    e[i] = f * f;
  }
  for (int i = 0; i < 4; i++) {
    if (there[i])
      p[places[i]] = e[i];
    sum += e[i];
  }
  return sum;
}
#endif

static const char *verdict(const double *a, const double *b) {
  for (int i = 0; i < SIZE; i++)
    if (!(fabs(a[i] - b[i]) <= 1e-12 * (1 + fabs(b[i]))))
      return "different";
  return "the same";
}

static void start(double *p, double *d) {
  for (int i = 0; i < SIZE; i++) {
    p[i] = 1.5 + (5 * i % 12) * 0.25;
    d[i] = 1 + i % 3;
  }
}

int main(void) {
  double p[SIZE], q[SIZE], d[SIZE + 1], e[SIZE + 1];
  start(p, d);
  start(q, e);
  masked_reverse(p, d);
  __enzyme_autodiff((void *)plain, enzyme_dup, q, e);
  printf("reverse: %s\n", verdict(d, e));
  start(p, d);
  start(q, e);
  double first = masked_forward(p, d), second = __enzyme_fwddiff((void *)plain, enzyme_dup, q, e);
  int same = fabs(first - second) <= 1e-12 * fabs(second) && fabs(second) > 1;
  printf("forward: %s\n", same ? verdict(d, e) : "different");
  return 0;
}

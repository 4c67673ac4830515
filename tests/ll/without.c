// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Each optimisation can be left out, changes no derivative, and is in the documentation's list. */
// RUN: %python %S/Inputs/without.py %src/src/base/optimisations.def %src/docs/performance.md %t \
// RUN:   %clang -O2 %s -lm | FileCheck %s
// RUN: not %clang -O2 -mllvm -nabla-without=speed -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefix=UNKNOWN %s
// CHECK: {{^}}ok
// UNKNOWN: -nabla-without= knows no 'speed', but reload, {{.*}}, inside; {{.*}} [nabla: option]

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_out;
void __enzyme_autodiff(void *, ...);

/* Neighbours that are overwritten, in time steps; arguments that may overlap. */
static double flow(int n, double *u, const double *k) {
  for (int t = 0; t < 3; t++) {
    for (int i = 0; i + 1 < n; i++)
      u[i] += k[i] * (u[i + 1] - u[i]) * u[i];
    for (int i = 0; i < n; i++)
      u[i] *= u[i];
  }
  return u[0] + u[n / 2];
}

/* Decisions, in loops whose end the data say too. */
static double choose(int n, double *u, const double *k) {
  double v = u[0];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      v = v > 1 ? sin(v) + u[j] : exp(v) * k[j];
    if (v > u[i])
      v *= v > 2 ? k[i] : u[i];
  }
  while (v < 50)
    v = v * v + 2;
  return v;
}

__attribute__((noinline)) static double norm(int n, const double *u) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u[i] * u[i];
  return sqrt(sum);
}

/* Memory of the function's own, and calls. */
static double project(int n, double *u, const double *k) {
  double *w = malloc(n * sizeof *w), sum = 0;
  for (int i = 0; i < n; i++)
    w[i] = u[i] * k[i];
  double length = norm(n, w);
  for (int i = 0; i < n; i++)
    sum += w[i] / length * cos(w[i]);
  for (int i = 0; i < n; i++)
    w[i] = sum * u[i];
  sum += norm(n, w);
  free(w);
  return sum;
}

enum { N = 7 };

static void show(const char *name, double (*function)(int, double *, const double *)) {
  double u[N], du[N] = {0}, k[N], dk[N] = {0};
  for (int i = 0; i < N; i++) {
    u[i] = 0.3 + 0.1 * i;
    k[i] = 0.9 - 0.05 * i;
  }
  if (function == flow)
    __enzyme_autodiff((void *)flow, enzyme_const, N, u, du, k, dk);
  else if (function == choose)
    __enzyme_autodiff((void *)choose, enzyme_const, N, u, du, k, dk);
  else
    __enzyme_autodiff((void *)project, enzyme_const, N, u, du, k, dk);
  printf("%s", name);
  for (int i = 0; i < N; i++)
    printf(" %.9g %.9g", du[i], dk[i]);
  printf("\n");
}

int main(void) {
  show("flow", flow);
  show("choose", choose);
  show("project", project);
}

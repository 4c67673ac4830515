// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that exchanges bytes is three copies, at every level, and twice differentiated, too. Where
// the objects overlap, it does something else: the run says so.
// RUN: %clang -gline-tables-only -O0 %s -mllvm -nabla-print=prepare -o %t 2>&1 \
// RUN:   | FileCheck --check-prefix=COPIES %s
// RUN: %t | FileCheck %s
// RUN: not --crash %t overlap 2>&1 | FileCheck --check-prefix=OVERLAP %s
// RUN: %clang -gline-tables-only -O2 %s -mllvm -nabla-print=prepare -o %t 2>&1 \
// RUN:   | FileCheck --check-prefix=COPIES %s
// RUN: %t | FileCheck %s
// RUN: not --crash %t overlap 2>&1 | FileCheck --check-prefix=OVERLAP %s
// COPIES: define {{.*}}@nabla.work.{{.*}}f(
// COPIES: call {{.*}}__nabla_exchange
// COPIES-COUNT-3: call void @llvm.mem{{cpy|move}}
// COPIES-NOT: store i8
// COPIES: ret double
// CHECK: 4 12 18
// CHECK: 0 12 0
// OVERLAP: nabla: 'f' (prepare-moves.c:[[@LINE+14]])
// OVERLAP-SAME: moves bytes one by one between objects that overlap
#include <stddef.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

int far = 2;

static void exchange(char *p, char *q, size_t n) {
  while (n--) {
    char t = *p;
    *p++ = *q;
    *q++ = t;
  }
}

static double f(const double *x) {
  double a[4];
  memcpy(a, x, 3 * sizeof *x);
  a[3] = 0;
  exchange((char *)a, (char *)&a[far], 2 * sizeof *a);
  return a[3] * a[3] * a[3] + a[2] * a[2] + 3 * a[0] * a[0];
}

static void gradient(const double *x, double *dx) {
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
}

int main(int count, char **arguments) {
  (void)arguments;
  double x[3] = {2, 2, 3}, dx[3] = {0}, along[3] = {0, 1, 0}, twice[3] = {0};
  if (count > 1)
    far = 1;
  gradient(x, dx);
  printf("%g %g %g\n", dx[0], dx[1], dx[2]);
  memset(dx, 0, sizeof dx);
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, along, enzyme_dup, dx, twice);
  printf("%g %g %g\n", twice[0], twice[1], twice[2]);
  return 0;
}

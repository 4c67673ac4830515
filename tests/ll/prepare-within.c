// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy of so many bytes as the run tells, into an array that is a struct's member, ends with the
// array, or with what of its type follows. A test of the run makes sure of it; none where nothing
// says where the array ends: behind the last member, and in a union.
// RUN: %clang -gline-tables-only -O0 %s -mllvm -nabla-print=prepare -o %t 2>&1 \
// RUN:   | FileCheck --check-prefix=TEST %s
// RUN: %t | FileCheck %s
// RUN: not --crash %t beyond 2>&1 | FileCheck --check-prefix=BEYOND %s
// RUN: %clang -gline-tables-only -O2 %s -mllvm -nabla-print=prepare -o %t 2>&1 \
// RUN:   | FileCheck --check-prefix=TEST %s
// RUN: %t | FileCheck %s
// RUN: not --crash %t beyond 2>&1 | FileCheck --check-prefix=BEYOND %s
// TEST: define {{.*}}@nabla.work.{{.*}}f(
// TEST: call void @__nabla_within(i64 %{{.*}}, i64 40,
// TEST-NOT: __nabla_within
// TEST: ret double
// CHECK: 12 16 0 0 0
// CHECK: 12 16 20 24 28
// BEYOND: nabla: 'f' (prepare-within.c:[[@LINE+23]]) copies more than the array in a struct has
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double v[3], w[2];
  long tag;
  union {
    double u[2];
    long words[2];
  } u;
  double last[1];
} Block;

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static double f(const double *x, int n) {
  Block *b = calloc(1, sizeof *b + 4 * sizeof(double));
  double sum = 0;
  b->tag = 2;
  memcpy(b->v, x, (size_t)n * sizeof *x);
  memcpy(b->u.u, x, (size_t)(n > 2 ? 2 : n) * sizeof *x);
  memcpy(b->last, x, (size_t)n * sizeof *x);
  for (int i = 0; i < 3; i++)
    sum += b->v[i] * b->v[i] * (double)b->tag;
  for (int i = 0; i < 2; i++)
    sum += b->w[i] * b->w[i] * (double)b->tag;
  free(b);
  return sum;
}

int main(int count, char **words) {
  (void)words;
  double x[6] = {3, 4, 5, 6, 7, 8};
  for (int n = 2; n < (count > 1 ? 7 : 6); n += count > 1 ? 4 : 3) {
    double dx[6] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, n);
    printf("%g %g %g %g %g\n", dx[0], dx[1], dx[2], dx[3], dx[4]);
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* In several directions at once the shadows of a local array are one array of vectors; those of the
 * caller's memory are as many as there are directions. */
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -mllvm -nabla-without=interleave -S \
// RUN:   -emit-llvm %s -o - | FileCheck --check-prefix=APART %s
#include <stdlib.h>
extern int enzyme_const, enzyme_dup, enzyme_width;
void __enzyme_fwddiff(void *, ...);

static void squares_turned(int n, const double *x, double *y) {
  double *here = malloc(sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    here[i] = x[i] * x[i];
  for (int i = 0; i < n; i++)
    y[i] = here[(i + 1) % n];
  free(here);
}

// CHECK-LABEL: define {{.*}}@nabla.forward.squares_turned(
// CHECK: @malloc(i64 noundef 128)
// CHECK-NEXT: @malloc(i64 noundef 512)
// CHECK-NOT: @malloc(
// CHECK: store <4 x double>
// CHECK-COUNT-2: @free(
// CHECK-NOT: @free(
// CHECK: load <4 x double>
// APART-LABEL: define {{.*}}@nabla.forward.squares_turned(
// APART-COUNT-5: @malloc(
// APART-NOT: store <4 x double>
// APART: ret void
void tangents(const double *x, const double *d[4], double *y, double *e[4]) {
  __enzyme_fwddiff((void *)squares_turned, enzyme_width, 4, enzyme_const, 16, enzyme_dup, x, d[0],
                   d[1], d[2], d[3], enzyme_dup, y, e[0], e[1], e[2], e[3]);
}

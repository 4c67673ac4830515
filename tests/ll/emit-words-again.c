// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The derivative of a copy of which the run tells by the bits of adjoints what it moves: a tangent
// is moved as well where the adjoint is zero. Its reverse is not known.
// RUN: %clang -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// RUN: not %clang -O1 -DREVERSE %s -o %t 2>&1 | FileCheck --check-prefix=REVERSE %s
// CHECK: 4 1 0, 0 1 1
// REVERSE: error: {{.*}}its reverse is not known
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const double *at;
  double v;
} Pointing;

void __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_again(void *, ...);
void __enzyme_fwddiff(void *, ...);

__attribute__((noinline)) static void f(const double *x, double *y) {
  Pointing *from = (Pointing *)malloc(2 * sizeof(Pointing));
  Pointing *to = (Pointing *)malloc(2 * sizeof(Pointing));
  *to = (Pointing){x, x[1]};
  *from = *to;
  y[1] = *from->at * from->v;
  int first = x[0] > 7;
  ((double *)from)[first] = x[2];
  ((double *)from)[1 - first] = x[1];
  memcpy(to, from, 2 * sizeof(double));
  double *numbers = (double *)to;
  y[0] = numbers[0] * x[0] + numbers[1];
  free(from);
  free(to);
}

static void gradient(const double *x, double *g) {
  double y[2] = {0, 0}, dy[2] = {1, 1};
  __enzyme_autodiff((void *)f, x, g, y, dy);
}

int main(void) {
  double x[3] = {0.0, 1.5, 2.5}, u[3] = {1, 0, 0}, g[3] = {0}, h[3] = {0};
#ifdef REVERSE
  __enzyme_autodiff_again((void *)gradient, x, u, g, h);
#else
  __enzyme_fwddiff((void *)gradient, x, u, g, h);
#endif
  printf("%g %g %g, %g %g %g\n", g[0], g[1], g[2], h[0], h[1], h[2]);
}

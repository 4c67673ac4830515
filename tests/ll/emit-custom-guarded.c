// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A derivative of the user's adds to a shadow; memory without one is its own, as the run has it.
// RUN: %clang -O0 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O0 -DSHADOW %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O2 -DSHADOW %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// CHECK: 'reverse' {{.*}}is registered as a derivative, and is given memory that is constant
// RIGHT: 2 3
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static double product(const double *a, const double *b) {
  return *a * *b;
}
static double augmented(const double *a, double *da, const double *b, double *db) {
  return product(a, b);
}
static void reverse(const double *a, double *da, const double *b, double *db, double seed) {
  *da += seed * *b;
  *db += seed * *a;
}
void *__enzyme_register_gradient_product[] = {(void *)product, (void *)augmented, (void *)reverse};

static double f(const double *a, const double *c) {
  const double *chosen = *a > 100 ? a : c;
  return product(chosen, a);
}

int main(void) {
  double a = 3, da = 0, c = 2, dc = 0;
#ifdef SHADOW
  __enzyme_autodiff((void *)f, enzyme_dup, &a, &da, enzyme_dup, &c, &dc);
#else
  __enzyme_autodiff((void *)f, enzyme_dup, &a, &da, enzyme_const, &c);
#endif
  printf("%g %g\n", da, dc);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that are registered for functions of libm hold where these are called as intrinsics.
// RUN: %clang -O0 %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O2 -ffast-math %s -lm -o %t && %t | FileCheck %s
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);

static double forward(double x, double dx) { return 42 * dx; }
static double augmented(double x) { return x; }
static double reverse(double x, double seed) { return 42 * seed; }

#define REGISTER(f) \
  void *__enzyme_register_derivative_##f[] = {(void *)(double (*)(double))f, (void *)forward}; \
  void *__enzyme_register_gradient_##f[] = {(void *)(double (*)(double))f, (void *)augmented, \
                                            (void *)reverse}

REGISTER(fabs);
REGISTER(sqrt);
REGISTER(sin);

static double calls_fabs(double x) { return fabs(-x); }
static double calls_sqrt(double x) { return sqrt(-x); }
static double calls_sin(double x) { return sin(-x); }

#define SHOW(f) \
  printf(#f " %g %g\n", __enzyme_autodiff((void *)calls_##f, -0.5), \
         __enzyme_fwddiff((void *)calls_##f, -0.5, 1.0))

// CHECK: fabs -42 -42
// CHECK: sqrt -42 -42
// CHECK: sin -42 -42
int main(void) {
  SHOW(fabs);
  SHOW(sqrt);
  SHOW(sin);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row may mix float and double: coefficients are computed in the wider one.
// RUN: %clang -O0 -mllvm -nabla-rules=%S/Inputs/formats.rules %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -mllvm -nabla-rules=%S/Inputs/formats.rules %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -ffast-math -mllvm -nabla-rules=%S/Inputs/formats.rules %s -o %t
// RUN: %t | FileCheck %s
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
typedef struct Two {
  double a, b;
} Two;
Two __enzyme_fwddiff_two(void *, ...);
extern int enzyme_width;

__attribute__((noinline)) double mix(double x, float w) { return x * w; }
__attribute__((noinline)) float narrow(double x) { return (float)(1.5 * x * x); }
__attribute__((noinline)) double wide(float x) { return 1.5 * x * x; }
__attribute__((noinline)) float scaled(float x, double w) { return (float)(w / 1e300) * x; }
__attribute__((noinline)) void put(double x, float w, double *p) { *p = x * w; }

static double both(double x) { return mix(x, (float)x); }
static float chain(float x) { return 2 * narrow(wide(2 * x)); }
static double far(double x) { return 2 * scaled(3 * (float)x, 1e300); }
static double stores(double x) {
  double y;
  put(x, (float)x, &y);
  return y * 2;
}

#define SHOW(name)                                                                                 \
  printf(#name " %g %g\n", __enzyme_autodiff((void *)name, 0.5),                                   \
         __enzyme_fwddiff((void *)name, 0.5, 1.0))

float __enzyme_autodiff_float(void *, ...);

// CHECK: both 1 1
// CHECK: far 6 6
// CHECK: stores 2 2
// CHECK: chain 54 54
// CHECK: two 1 2
int main(void) {
  SHOW(both);
  SHOW(far);
  SHOW(stores);
  printf("chain %g %g\n", (double)__enzyme_autodiff_float((void *)chain, 0.5F),
         (double)__enzyme_fwddiff_float((void *)chain, 0.5F, 1.0F));
  Two two = __enzyme_fwddiff_two((void *)both, enzyme_width, 2, 0.5, 1.0, 2.0);
  printf("two %g %g\n", two.a, two.b);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows whose formulas have branches or differences: their second derivatives, too, are right beside
// zeros of both signs, and where terms would cancel.
// RUN: %clang -O1 %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -mllvm -nabla-accurate %s -lm -o %t && %t | FileCheck %s
#include <complex.h>
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double of_asin(double y) { return creal(casin(__builtin_complex(0.5, y))); }
static double of_asin_slope(double y) { return __enzyme_autodiff((void *)of_asin, y); }
static double of_tanh(double x) { return cimag(ctanh(__builtin_complex(x, 0.5))); }
static double of_tanh_slope(double x) { return __enzyme_fwddiff((void *)of_tanh, x, 1.0); }
static double of_bessel(double x) { return j1(x); }
static double of_bessel_slope(double x) { return __enzyme_autodiff((void *)of_bessel, x); }

int main(void) {
  volatile double zero = 0, small = 1e-8;
  // CHECK: -0.7698 -0.7698
  printf("%.4f %.4f\n", __enzyme_fwddiff((void *)of_asin_slope, zero, 1.0),
         __enzyme_fwddiff((void *)of_asin_slope, -zero, 1.0));
  // CHECK: -1.4187 -1.4187
  printf("%.4f %.4f\n", __enzyme_fwddiff((void *)of_tanh_slope, zero, 1.0),
         __enzyme_fwddiff((void *)of_tanh_slope, -zero, 1.0));
  // CHECK: -3.75e-09
  printf("%.3g\n", __enzyme_fwddiff((void *)of_bessel_slope, small, 1.0));
}

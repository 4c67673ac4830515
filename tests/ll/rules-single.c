// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A coefficient in double may call a function that exists in float alone: the number is converted.
// RUN: %clang -O1 -mllvm -nabla-rules=%S/Inputs/single.rules %s -lm -o %t && %t | FileCheck %s
#include <stdio.h>

double __enzyme_autodiff(void *, ...);

__attribute__((used)) float single_half(float x) { return x / 2; }
double outer(double x) { return x; }
double other(double x) { return x; }
static double calls_outer(double x) { return outer(x); }
static double calls_other(double x) { return other(x); }

// CHECK: 1.5 0
int main(void) {
  printf("%g %g\n", __enzyme_autodiff((void *)calls_outer, 3.0),
         __enzyme_autodiff((void *)calls_other, 0.0));
  return 0;
}

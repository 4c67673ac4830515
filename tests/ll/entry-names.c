// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages about a call name the user's function, not a copy of it.
// RUN: not %clang -O0 -c %s -o %t 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
static double f(double x, double *p) { return x * p[0]; }
// CHECK: error: in 'too_few': 'f' takes 2 arguments, and no argument is left for parameter 2;
double too_few(double x) { return __enzyme_autodiff((void *)f, x); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The derivative of x > 0 ? pow(x, 3) : 0 is a compare and 3 * x * x: no call, no tape. */
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck %s
double pow(double, double);
extern double __enzyme_autodiff(void *, ...);

static double relu3(double x) { return x > 0 ? pow(x, 3) : 0; }

double slope(double x) { return __enzyme_autodiff((void *)relu3, x); }
// CHECK-LABEL: define {{.*}}double @slope(
// CHECK-NOT:     {{call|alloca|br}}
// CHECK-DAG:     fmul {{.*}}3.000000e+00
// CHECK-DAG:     fcmp {{ogt|ule}} double %{{.*}}, 0.000000e+00
// CHECK-NOT:     {{call|alloca|br}}
// CHECK:         ret double

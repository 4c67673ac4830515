// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The derivative of x > 0 ? pow(x, 3) : 0 is one compare and 3 * x * x: no call, no tape, in both
 * modes, at each level. */
// RUN: %clang -O0 -S -emit-llvm %s -o - | FileCheck --check-prefixes=OWN %s
// RUN: %clang -O1 -S -emit-llvm %s -o - | FileCheck --check-prefixes=USER %s
// RUN: %clang -O2 -S -emit-llvm %s -o - | FileCheck --check-prefixes=USER %s
// RUN: %clang -O3 -S -emit-llvm %s -o - | FileCheck --check-prefixes=USER %s
// RUN: %clang -O3 -ffast-math -S -emit-llvm %s -o - | FileCheck --check-prefixes=USER %s
double pow(double, double);
extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static double relu3(double x) { return x > 0 ? pow(x, 3) : 0; }

double tangent(double x, double dx) { return __enzyme_fwddiff((void *)relu3, enzyme_dup, x, dx); }
double slope(double x) { return __enzyme_autodiff((void *)relu3, x); }
// USER-LABEL: define {{.*}}double @tangent(
// USER-NOT:     {{call|alloca|br}}
// USER:         fcmp {{.*}}{{ogt|ule}} double %{{.*}}, 0.000000e+00
// USER-NOT:     {{call|alloca|br|fcmp}}
// USER:         fmul {{.*}}3.000000e+00
// USER-NOT:     {{call|alloca|br|fcmp}}
// USER:         ret double
// USER-LABEL: define {{.*}}double @slope(
// USER-NOT:     {{call|alloca|br}}
// USER:         fcmp {{.*}}{{ogt|ule}} double %{{.*}}, 0.000000e+00
// USER-NOT:     {{call|alloca|br|fcmp}}
// USER:         fmul {{.*}}3.000000e+00
// USER-NOT:     {{call|alloca|br|fcmp}}
// USER:         ret double

// OWN-LABEL: define internal { double, double } @nabla.forward.
// OWN-NOT:     {{call|alloca|br}}
// OWN:         fcmp {{.*}}{{ogt|ule}} double %{{.*}}, 0.000000e+00
// OWN-NOT:     {{call|alloca|br|fcmp}}
// OWN:         fmul {{.*}}3.000000e+00
// OWN-NOT:     {{call|alloca|br|fcmp}}
// OWN:         ret { double, double }
// OWN-LABEL: define internal { double } @nabla.combined.
// OWN-NOT:     {{call|alloca|br}}
// OWN:         fcmp {{.*}}{{ogt|ule}} double %{{.*}}, 0.000000e+00
// OWN-NOT:     {{call|alloca|br|fcmp}}
// OWN:         fmul {{.*}}3.000000e+00
// OWN-NOT:     {{call|alloca|br|fcmp}}
// OWN:         ret { double }

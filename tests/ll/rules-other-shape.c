// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of a known name with other parameters than the program's function: the refusal names both.
// RUN: echo 'cbrt(x, y) : dx + dy' >%t.rules
// RUN: not %clang -w -O1 -g -mllvm -nabla-rules=%t.rules -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: echo 'double cbrt(x)' >%t.rules
// RUN: not %clang -w -O1 -g -mllvm -nabla-rules=%t.rules -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=BARE %s
double __enzyme_autodiff(void *, ...);
struct three {
  double a, b, c;
};
double cbrt(double), nan(struct three);
float y0(float);

// CHECK: rules-other-shape.c:[[#@LINE+2]]:{{.*}}'cbrt' takes {{.*}}.rules:1) has other parameters
// BARE: 'cbrt' takes {{.*}}.rules:1) has no tangent
static double root(double x) { return cbrt(x); }

double slope(double x) { return __enzyme_autodiff((void *)root, x); }

// The name says of which format the numbers are, and a struct by value is no pointer.
// CHECK: rules-other-shape.c:[[#@LINE+1]]:{{.*}}'y0' takes {{.*}}) has other parameters
static double of_floats(double x) { return y0((float)x); }

double slope_of_floats(double x) { return __enzyme_autodiff((void *)of_floats, x); }

// CHECK: rules-other-shape.c:[[#@LINE+1]]:{{.*}}'nan' takes {{.*}}) has other parameters
static double of_three(double x) { return nan((struct three){x, x, x}); }

double slope_of_three(double x) { return __enzyme_autodiff((void *)of_three, x); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of a known name with other parameters than the program's function: the refusal names both.
// RUN: echo 'cbrt(x, y) : dx + dy' >%t.rules
// RUN: not %clang -O1 -g -mllvm -nabla-rules=%t.rules -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: echo 'double cbrt(x)' >%t.rules
// RUN: not %clang -O1 -g -mllvm -nabla-rules=%t.rules -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=BARE %s
double __enzyme_autodiff(void *, ...);
double cbrt(double);

// CHECK: rules-other-shape.c:[[#@LINE+2]]:{{.*}}'cbrt' takes {{.*}}.rules:1) has other parameters
// BARE: 'cbrt' takes {{.*}}.rules:1) has no tangent
static double root(double x) { return cbrt(x); }

double slope(double x) { return __enzyme_autodiff((void *)root, x); }

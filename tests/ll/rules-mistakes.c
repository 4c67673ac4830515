// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All mistakes of a file of rules are reported, each at its own place in that; so are words that no
// option knows.
// RUN: not %clang -O1 -g -mllvm -nabla-rules=%S/Inputs/mistakes.rules -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: not %rulec --tests %t.c %S/Inputs/mistakes.rules 2>&1 | FileCheck --check-prefix=RULEC %s
// RUN: not %clang -O1 -mllvm -nabla-print=types,kinds -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=PRINT %s
// RUN: not %clang -O1 -mllvm -nabla-max-tape=much -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck --check-prefix=TAPE %s
double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }

double slope(double x) { return __enzyme_autodiff((void *)square, x); }

// CHECK-NOT: rules-mistakes.c
// CHECK: error: {{.*}}mistakes.rules:3:20: not linear in the tangents
// CHECK-NEXT: error: {{.*}}mistakes.rules:4:8: ')' is missing here
// CHECK-NEXT: error: {{.*}}mistakes.rules:5:11: there is no row for 'nothing'
// CHECK-NEXT: error: {{.*}}mistakes.rules:9:1: a character that rules do not have
// CHECK-NEXT: error: {{.*}}mistakes.rules:10:18: an expression is missing here
// CHECK-NEXT: error: {{.*}}mistakes.rules:11:1: 'cos' is a function of C's that compilers know
// CHECK-NEXT: error: {{.*}}mistakes.rules:12:12: a number above all doubles
// CHECK-NEXT: error: {{.*}}mistakes.rules:13:12: a number so small
// CHECK-NEXT: 8 errors generated.
// RULEC: mistakes.rules:3:20: error: not linear in the tangents
// RULEC: mistakes.rules:10:18: error: an expression is missing here
// PRINT: error: -nabla-print= knows no 'kinds', but collect, request, {{.*}}, tidy; correct
// PRINT-NOT: gline-tables-only
// TAPE: error: -nabla-max-tape=much is no number of bytes, such as 65536

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A refusal ends no compilation: what is asked for before and behind it is differentiated, and all
 * refusals are said, in the order of their lines. */
// RUN: not %clang -O1 -gline-tables-only -mllvm -nabla-print=linear -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck %s
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double unknown_one(double), unknown_two(double);

static double good_one(double x) { return x * x; }
static double bad_one(double x) { return unknown_one(x); }
static double good_two(double x) { return x * x * x; }
static double bad_two(double x) { return unknown_two(x) * x; }
static double good_three(double x) { return x + x * x; }

double first(double x) { return __enzyme_autodiff((void *)good_one, x); }
double second(double x) { return __enzyme_autodiff((void *)bad_one, x); }
double third(double x) { return __enzyme_fwddiff((void *)good_two, x, 1.0); }
double fourth(double x) { return __enzyme_fwddiff((void *)bad_two, x, 1.0); }
double fifth(double x) { return __enzyme_autodiff((void *)good_one); }
double sixth(double x) { return __enzyme_autodiff((void *)good_three, x); }

// CHECK: linear @good_one
// CHECK: linear @good_two
// CHECK: linear @good_three
// CHECK: :[[@LINE-15]]:{{.*}}error: 'unknown_one'
// CHECK: :[[@LINE-14]]:{{.*}}error: 'unknown_two'
// CHECK: :[[@LINE-8]]:{{.*}}error: {{.*}}no argument is left
// CHECK: 3 errors generated

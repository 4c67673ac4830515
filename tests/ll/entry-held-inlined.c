// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function with a derivative or a rule of the user's is there, with its calls, when derivatives
 * are made; then it is inlined as any other, where the optimiser would have. */
// RUN: echo 'ruled(x) : 300 * x * dx' > %t.rules
// RUN: %clang -O1 -S -emit-llvm -mllvm -nabla-rules=%t.rules %s -o - | FileCheck %s
// RUN: %clang -O2 -S -emit-llvm -mllvm -nabla-rules=%t.rules %s -o - | FileCheck %s
// RUN: %clang -O0 -S -emit-llvm -mllvm -nabla-rules=%t.rules %s -o - \
// RUN:   | FileCheck --check-prefix=PLAIN %s
extern double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }
static double square_forward(double x, double dx) { return 100 * x * dx; }
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_forward};

static double ruled(double x) { return x * x; }

__attribute__((noinline)) static double kept(double x) { return x * x; }
void *__enzyme_register_derivative_kept[] = {(void *)kept, (void *)square_forward};

static double sum(double x) { return square(x) + ruled(x) + kept(x); }

// CHECK-LABEL: @primal(
// CHECK-NOT: @square
// CHECK-NOT: @ruled
// CHECK: call {{.*}}@kept
// CHECK-NOT: @square
// CHECK-NOT: @ruled
// CHECK: ret double
// PLAIN-LABEL: @primal(
// PLAIN: call {{.*}}@sum
double primal(double x) { return sum(x) + 1; }

// CHECK-LABEL: @derivative(
// CHECK: ret double
// PLAIN-LABEL: @derivative(
double derivative(double x) { return __enzyme_fwddiff((void *)sum, x, 1.0); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* -nabla-progress names the user's function and its stages, callees within; without it, nothing. */
// RUN: %clang -O2 -mllvm -nabla-progress -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -ftime-trace=%t.json -ftime-trace-granularity=0 -c %s -o %t.o
// RUN: FileCheck --check-prefix=TRACE %s < %t.json --implicit-check-not \
// RUN:   '"name":"nabla {{[a-z]*}}","args":{"detail":"nabla'
// TRACE: "name":"nabla prepare","args":{"detail":"outer"
// RUN: %clang -O2 -mllvm -nabla-progress=0 -c %s -o %t.o 2>&1 | count 0
// RUN: env NABLA_PROGRESS=1 %clang -O2 -c %s -o %t.o 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);

__attribute__((noinline)) static double inner(double x) { return x * x; }
static double outer(double x) { return inner(x) * x; }
double slope(double x) { return __enzyme_autodiff((void *)outer, x); }

// CHECK: {{^}}nabla: outer: prepare{{$}}
// CHECK: {{^}}nabla: outer: activity{{$}}
// CHECK: {{^}}nabla: outer: linearise{{$}}
// CHECK: {{^}}nabla: inner: prepare{{$}}
// CHECK: {{^}}nabla: inner: emit{{$}}
// CHECK: {{^}}nabla: outer: plan{{$}}
// CHECK: {{^}}nabla: outer: emit{{$}}
// CHECK: {{^}}nabla: outer.combined: tidy{{$}}

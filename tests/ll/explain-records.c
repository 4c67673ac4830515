// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The records of -nabla-explain=: what is kept, how often, and why; what is had again; calls;
 * refusals; the file cannot be written. */
// RUN: rm -f %t.records
// RUN: %clang -O2 -g -fno-discard-value-names -mllvm -nabla-explain=%t.records -c %s -o %t.o
// RUN: FileCheck %s < %t.records
// RUN: not %clang -O2 -g1 -DREFUSED -mllvm -nabla-explain=%t.refused -c %s -o %t.o
// RUN: FileCheck --check-prefix=REFUSED %s < %t.refused
// RUN: not %clang -O2 -g1 -mllvm -nabla-explain=/no/such/folder/file -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --check-prefix=FILE %s
// FILE: error: -nabla-explain=/no/such/folder/file cannot be written; {{.*}} [nabla: option]
#include <math.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;
void print(int);
double mystery(double);

__attribute__((noinline)) static void weigh(int n, double *state, const double *weights) {
  for (int i = 0; i < n; i++)
    state[i] = state[i] * weights[i];
}

static double model(int n, int steps, double *state, const double *weights) {
  for (int t = 0; t < steps; t++) {
    print(t);
    weigh(n, state, weights);
    for (int i = 1; i < n; i++)
      state[i] = sin(state[i - 1]) + state[i];
    for (int i = 0; i < t; i++)
      state[i] *= state[i];
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += state[i] * state[i];
#ifdef REFUSED
  sum += mystery(sum);
#endif
  return sum;
}

void gradient(int n, int steps, double *s, double *ds, double *w, double *dw) {
  __enzyme_autodiff((void *)model, enzyme_const, n, enzyme_const, steps, enzyme_dup, s, ds,
                    enzyme_dup, w, dw);
}

// CHECK: {{^}}request	{{/.*}}explain-records.c	[[@LINE-4]]	3	__enzyme_autodiff	model{{$}}
// CHECK: {{^}}derivative	{{.*}}	[[@LINE-24]]	0	1	reverse	model	n: const, {{.*}}	1	model{{$}}
// CHECK: {{^}}derivative	{{.*}}	0	2	reverse	weigh	{{.*}}result: const	1	weigh{{$}}
// CHECK: {{^}}loop	{{.*}}	2	0		n{{$}}
// CHECK-DAG: {{^}}kept	{{.*}}	2	64	n	state[i]	what is read here may be overwritten
// CHECK-DAG: {{^}}statement	{{.*}}	2	0	load	d(state[i]) = memory d(state[i]){{$}}
// CHECK-DAG: {{^}}operand	2	coefficient	stored	weights[i]{{$}}
// CHECK: {{^}}end	2	made{{$}}
// CHECK: {{^}}kept	{{.*}}	1	64	steps * max(0, n - 1)	cos(state[i - 1])
// CHECK: {{^}}kept	{{.*}}	1	64	iterations(line [[@LINE-26]])	state[i]
// CHECK: {{^}}kept	{{.*}}	1	128	steps	the tape of weigh
// CHECK-DAG: {{^}}again	{{.*}}	1	reload	state[i]{{$}}
// CHECK-DAG: {{^}}call	{{.*}}	1	print	no derivative passes through it{{$}}
// CHECK-DAG: {{^}}call	{{.*}}	1	weigh	forward in the first sweep, {{.*}}16 bytes
// CHECK-DAG: {{^}}call	{{.*}}	1	sin	its derivative is a rule{{$}}
// CHECK: {{^}}end	1	made{{$}}

// REFUSED: {{^}}end	1	refused{{$}}
// REFUSED: {{^}}message	{{.*}}error	'mystery' takes a value {{.*}} [nabla: no-rule]{{$}}

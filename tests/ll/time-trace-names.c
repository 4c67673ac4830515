// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes that run on derivatives show their readable names in LLVM's trace, with -g or without.
// RUN: %clang -O2 -c %s -o %t.o -ftime-trace=%t.json -ftime-trace-granularity=0
// RUN: FileCheck %s --input-file=%t.json --implicit-check-not='Pass","args":{"detail":"nabla.'
// RUN: %clang -O2 -g -c %s -o %t.o -ftime-trace=%t.json -ftime-trace-granularity=0
// RUN: FileCheck %s --input-file=%t.json --implicit-check-not='Pass","args":{"detail":"nabla.'
// CHECK-DAG: "detail":"square.work"
// CHECK-DAG: "name":"InstCombinePass","args":{"detail":"square.combined"}
// CHECK-DAG: "name":"OptFunction","args":{"detail":"square.combined"}
void __enzyme_autodiff(void *, ...);
__attribute__((noinline)) static double square(const double *x, int n) {
  double y = 0;
  for (int i = 0; i < n; i++)
    y = y * x[i] + x[i] * x[i];
  return y;
}
void slope(const double *x, double *d, int n) { __enzyme_autodiff((void *)square, x, d, n); }
void other(const double *x, double *d, int n) { __enzyme_autodiff((void *)square, x, d, n + 1); }

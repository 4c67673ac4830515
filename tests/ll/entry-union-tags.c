// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is copied of a union may be anything, and so may the bytes beside it: of the two types that
 * say so one stands below the other, else LLVM took accesses with one of each for apart. */
// RUN: %clang -O1 -fno-strict-aliasing -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=nabla-collect -S %t.ll | FileCheck %s
double __enzyme_autodiff(void *, ...);

typedef struct {
  char flag;
  union {
    double number;
    long count;
  } u;
} Item;

static double square(double x) {
  Item a[2];
  a[0].flag = 1;
  a[0].u.number = x * x;
  a[1] = a[0];
  return a[1].u.number;
}

double slope(double x) { return __enzyme_autodiff((void *)square, x); }

// CHECK-DAG: ![[ANY:[0-9]+]] = !{!"union member", ![[ROOT:[0-9]+]], i64 0}
// CHECK-DAG: ![[ROOT]] = !{!"nabla TBAA"}
// CHECK-DAG: !{!"bytes", ![[ANY]], i64 0}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs that are assigned as a whole are assigned member by member, their arrays too, where a
// derivative is asked for; not where a union lies in them, nor in other code, nor as bytes.
// RUN: %clang -O1 -emit-llvm -S %s -o - | FileCheck %s
void __enzyme_autodiff(void *, ...);
void *memcpy(void *, const void *, __SIZE_TYPE__);
int enzyme_dup, enzyme_const;
typedef struct {
  double x[3], m;
  int id;
} Body;
typedef struct {
  double x[3];
  union {
    double m;
    long n;
  } u;
} Either;

// CHECK-LABEL: define {{.*}}@members(
// CHECK-NOT: memcpy
// CHECK-COUNT-4: load double
// CHECK: load i32
// CHECK: ret
__attribute__((noinline)) void members(Body *b, long i) { b[i] = b[0]; }

// CHECK-LABEL: define {{.*}}@bytes(
// CHECK: memcpy
__attribute__((noinline)) void bytes(Body *b, long i) { memcpy(b + i, b, sizeof *b); }

// CHECK-LABEL: define {{.*}}@either(
// CHECK: memcpy
__attribute__((noinline)) void either(Either *e, long i) { e[i] = e[0]; }

// CHECK-LABEL: define {{.*}}@other(
// CHECK: memcpy
__attribute__((noinline)) void other(Body *b, long i) { b[i] = b[0]; }

double f(Body *b, Either *e, long i) {
  members(b, i);
  bytes(b, i + 1);
  either(e, i);
  return b[1].x[2] * b[2].m * e[1].x[0];
}
void df(Body *b, Body *db, Either *e, long i) {
  __enzyme_autodiff((void *)f, enzyme_dup, b, db, enzyme_const, e, i);
}

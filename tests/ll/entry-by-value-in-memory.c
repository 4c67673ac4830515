// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs by value for which the call of the entry point, which has more arguments than the
// function, has no register left.
// RUN: %each-level '%clang LEVEL -w %s -lm -o %t && %t | FileCheck %s'
// CHECK: slices 3 2, 1 0; pairs 67; triples 13; behind 2 4
#include <stdio.h>
extern int enzyme_dup, enzyme_out;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);

typedef struct {
  double *at;
  long count;
} Slice;
static double dot(Slice a, Slice b) {
  double s = 0;
  for (long i = 0; i < b.count; i++)
    s += a.at[i] * b.at[i];
  return s;
}

typedef struct {
  double a, b;
} Pair;
static double products(Pair p, Pair q, Pair r) { return p.a * q.a * r.a + p.b * q.b * r.b; }

typedef struct {
  float a, b, c;
} Triple;
static float sums(Triple p, Triple q, Triple r) { return p.a * q.c + r.b * q.a + p.c * r.c; }

static double behind(int a, int b, int c, int d, int e, Slice slice) {
  return slice.at[0] * slice.at[0] * a + slice.at[1] * slice.at[1] * (e - d);
}

int main(void) {
  double x[] = {1, 0}, y[] = {3, 2}, dx[] = {0, 0}, dy[] = {0, 0};
  Slice a = {x, 2}, b = {y, 2}, da = {dx, 2}, db = {dy, 2};
  __enzyme_autodiff((void *)dot, enzyme_dup, a, da, enzyme_dup, b, db);
  printf("slices %g %g, %g %g; ", dx[0], dx[1], dy[0], dy[1]);
  Pair p = {1, 2}, q = {3, 4}, r = {5, 6}, one = {1, 1};
  printf("pairs %g; ", __enzyme_fwddiff((void *)products, enzyme_dup, p, one, enzyme_dup, q, one,
                                        enzyme_dup, r, one));
  Triple s = {1, 2, 3}, ones = {1, 1, 1};
  printf("triples %g; ", __enzyme_fwddiff_float((void *)sums, enzyme_dup, s, ones, enzyme_dup, s,
                                                ones, enzyme_dup, s, ones));
  double z[] = {1, 2}, dz[] = {0, 0};
  Slice c = {z, 2}, dc = {dz, 2};
  __enzyme_autodiff((void *)behind, 1, 2, 3, 4, 5, enzyme_dup, c, dc);
  printf("behind %g %g\n", dz[0], dz[1]);
  return 0;
}

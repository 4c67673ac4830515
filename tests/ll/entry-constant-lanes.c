// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tangents of several directions that are constants, of structs in vectors: what the linker of the
// runtime finds unused by then is not deleted.
// RUN: %each-level '%clang LEVEL -w %s -lm -o %t && %t | FileCheck %s'
// CHECK: 2 1 1 2 3
extern int enzyme_width, enzyme_dup, enzyme_const;
int printf(const char *, ...);
typedef struct {
  float a, b;
} Pair;
typedef struct {
  float of[2];
} Both;
Both __enzyme_fwddiff_both(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
static float product(Pair p) { return p.a * p.b; }
static double sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += s * x[i] + x[i];
  return s;
}
int main(void) {
  double x[3] = {0, 0, 0}, dx[3] = {0};
  Pair p = {1, 2}, first = {1, 0}, second = {0, 1};
  Both one = __enzyme_fwddiff_both((void *)product, enzyme_width, 2, enzyme_dup, p, first, second);
  void *tape = __enzyme_augmentfwd((void *)sum, enzyme_dup, x, dx, enzyme_const, 3);
  __enzyme_reverse((void *)sum, enzyme_dup, x, dx, enzyme_const, 3, 1.0, tape);
  Both other =
      __enzyme_fwddiff_both((void *)product, enzyme_width, 2, enzyme_dup, p, second, first);
  printf("%g %g %g %g %g\n", one.of[0], one.of[1], other.of[0], other.of[1], dx[0] + dx[1] + dx[2]);
  return 0;
}

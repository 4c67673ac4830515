// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A char, a short and a float travel in one integer, and the lower half is added to and masked.
// RUN: %clang -O1 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
// CHECK: 15 0 6 101
#include <stdio.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef struct {
  char tag;
  short code;
  float a, b;
} Coded;

static Coded recoded(Coded c, float by) {
  c.a = c.a * by + c.b;
  c.b = c.b * 0.5f;
  c.code++;
  c.tag ^= 1;
  return c;
}

static float f(const float *x, int n) {
  Coded c[2] = {{'a', 1, x[0], x[1]}, {'b', 2, x[2], x[3]}};
  for (int i = 0; i < n; i++)
    c[i & 1] = recoded(c[(i + 1) & 1], x[i & 1]);
  return c[0].a * (float)c[0].code + c[1].b * (float)c[1].tag;
}

int main(void) {
  float x[4] = {2, 3, 5, 7}, dx[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 1);
  printf("%g %g %g %g\n", dx[0], dx[1], dx[2], dx[3]);
}

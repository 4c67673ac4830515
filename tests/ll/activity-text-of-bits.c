// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A walk through an array of characters in which a function has put the bytes of a number: the run
// says where their values matter.
// RUN: %clang -O0 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// CHECK: 'walk' computes with the bits of a number
#include <string.h>

extern double __enzyme_autodiff(void *, ...);

typedef struct {
  char raw[16];
  double v[3], w;
} Node;

static __attribute__((noinline)) void put(void *to, double y) { memcpy(to, &y, sizeof y); }

static double walk(double x) {
  Node p;
  memset(&p, 0, sizeof p);
  p.w = x;
  put(p.raw, x * x);
  double m = 0;
  for (unsigned char *c = (unsigned char *)p.raw; *c; c++)
    m = m * 256 + *c;
  return m * p.w;
}

int main(void) { return __enzyme_autodiff((void *)walk, 1.1) > 1; }

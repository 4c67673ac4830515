// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A callee copies a number into a global of integers, and out again: the global has a shadow,
 * though nobody says that a number lies there. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static void move(void *to, const void *from, int turns) {
  if (turns > 0) {
    move(to, from, turns - 1);
    return;
  }
  memcpy(to, from, sizeof(double));
}

static uint64_t kept[4];

static double f(const double *x) {
  double number = x[0] * x[1], again;
  void *place = kept;
  move(place, &number, 3);
  move(&again, place, 3);
  return again * again;
}

int main(void) {
  double x[2] = {1.5, 2}, d[2] = {0, 0}, t[2] = {1, 0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d);
  printf("%g %g %g\n", d[0], d[1], __enzyme_fwddiff((void *)f, enzyme_dup, x, t));
}
// CHECK: 12 9 12

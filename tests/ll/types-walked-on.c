// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that calls itself copies an integer and a number, word by word: what its caller knows
 * of the first word does not hold of the second. Another exchanges a number with one in a global of
 * integers. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t && %t | FileCheck %s
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

typedef struct {
  int count;
  float number;
} Part;

static void copy(int *to, const int *from, int words) {
  if (words > 0) {
    memcpy(to, from, sizeof *to);
    copy(to + 1, from + 1, words - 1);
  }
}

static double copied(const double *x) {
  Part part = {3, (float)x[0]}, other;
  copy((int *)&other, (const int *)&part, 2);
  return other.number * other.number * other.count;
}

static void exchange(void *a, void *b, int turns) {
  if (turns > 0) {
    exchange(b, a, turns - 1);
    return;
  }
  uint64_t words[3];
  memcpy(words, a, sizeof(double));
  memcpy(a, b, sizeof(double));
  memcpy(b, words, sizeof(double));
}

static uint64_t kept[4];

static double exchanged(const double *x) {
  double number = x[0], first = number, second, result;
  void *place = kept;
  exchange(place, &first, 2);
  memcpy(&second, place, sizeof second);
  exchange(&result, &second, 2);
  return result * result;
}

static void show(double x, double d, double t) { printf("%g %g %g\n", x, d, t); }

int main(void) {
  double x[2] = {1.5, 1.5}, d[2] = {0, 0}, t = 1;
  __enzyme_autodiff((void *)copied, enzyme_dup, &x[0], &d[0]);
  show(x[0], d[0], __enzyme_fwddiff((void *)copied, enzyme_dup, &x[0], &t));
  __enzyme_autodiff((void *)exchanged, enzyme_dup, &x[1], &d[1]);
  show(x[1], d[1], __enzyme_fwddiff((void *)exchanged, enzyme_dup, &x[1], &t));
}
// CHECK: 1.5 9 9
// CHECK: 1.5 3 3

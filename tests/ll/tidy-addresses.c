// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A pointer that is stored as a number and loaded again is an address that is the bits of a number:
 * without optimisation, too, memory is accessed there. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
double __enzyme_fwddiff(void *, ...);
int printf(const char *, ...);

typedef double __attribute__((may_alias)) Word;
typedef struct {
  double weight;
  double *number;
} Item;

__attribute__((noinline)) static void copy(void *to, void *from, int n) {
  for (int i = 0; i < n; i++)
    ((Word *)to)[i] = ((Word *)from)[i];
}

static double value(double *x) {
  Item items[3];
  double y[3], z[3];
  for (int i = 0; i < 3; i++) {
    y[i] = x[i % 2] * x[(i + 1) % 2];
    z[i] = x[i % 2] + 0.5;
  }
  for (int i = 0; i < 3; i++) {
    items[i].weight = x[i % 2];
    items[i].number = i % 2 ? y + i : z + i;
  }
  copy(&items[1].number, &items[0].number, 1);
  copy(y + 2, z, 1);
  *items[0].number *= x[1];
  copy(&items[2].number, &items[1].number, 1);
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += items[i].weight * *items[i].number + y[i] * z[i];
  return sum;
}

// CHECK: 92 68
int main(void) {
  double x[2] = {2, 3}, first[2] = {1, 0}, second[2] = {0, 1};
  double a = __enzyme_fwddiff((void *)value, x, first);
  printf("%g %g\n", a, __enzyme_fwddiff((void *)value, x, second));
}

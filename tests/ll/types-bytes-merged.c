// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Bytes beside numbers, that two iterations read: the optimiser makes one access of two, and it is
 * still known to be of an integer of the struct's, wherever the walk over `w` ends. */
// RUN: %clang -O2 %s -o %t && %t | FileCheck %s
double __enzyme_autodiff(void *, ...);
int printf(const char *, ...);

typedef struct {
  int n;
  float w[7];
  double bias;
  char tag[8];
  double q[2][3];
} Model;

static double value(const Model *m) {
  double s = m->bias;
  for (int i = 0; i < m->n; i++)
    s += m->w[i];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++)
      s += m->q[i][j] * m->tag[j];
  return s;
}

// CHECK: 1 0 98 1
int main(void) {
  Model m = {5, {1, 2, 3, 4, 5, 6, 7}, 0.5, "abcd", {{1, 2, 3}, {4, 5, 6}}}, d = {0};
  __enzyme_autodiff((void *)value, &m, &d);
  printf("%g %g %g %g\n", d.w[0], d.w[5], d.q[1][1], d.bias);
}

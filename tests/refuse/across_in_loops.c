// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that lie across others, at places that depend on a loop. */
#include <string.h>

extern void __enzyme_autodiff(void *, ...);

enum { HALF = 4 };

static double in_each(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n - 1; i++) {
    double number;
    memcpy(&number, (const char *)(x + i) + HALF, sizeof number);
    sum += number * x[i]; // error-near: [nabla: part-of-number]
  }
  return sum;
}

static double by_pointer(const double *x, int n) {
  const char *at = (const char *)x;
  double sum = 0;
  for (int i = 0; i < n - 1; i++, at += sizeof *x) {
    double number;
    memcpy(&number, at + HALF, sizeof number);
    sum += number * *(const double *)at; // error-near: [nabla: part-of-number]
  }
  return sum;
}

static double in_two(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  for (int i = 0; i < n - 1; i++) {
    double number;
    memcpy(&number, (const char *)(x + i) + HALF, sizeof number);
    sum += number; // error-near: [nabla: part-of-number]
  }
  return sum;
}

static double written(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n - 1; i++)
    memcpy((char *)(x + i) + HALF, &x[n], sizeof *x); // error-near: [nabla: part-of-number]
  for (int i = 0; i < n - 1; i++)
    sum += x[i] * x[i];
  return sum;
}

void use(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)in_each, x, dx, n);
  __enzyme_autodiff((void *)by_pointer, x, dx, n);
  __enzyme_autodiff((void *)in_two, x, dx, n);
  __enzyme_autodiff((void *)written, x, dx, n);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that are read, or copied, where others lie that begin elsewhere. */
#include <string.h>

extern double __enzyme_autodiff(void *, ...);

enum { COUNT = 6, HALF = 4 };

static double across_the_callers(const double *x) {
  double across;
  memcpy(&across, (const char *)x + HALF, sizeof across); // error-near: [nabla: part-of-number]
  return across + x[0] * x[0] + x[1];
}

static double across_its_own(const double *x) {
  double own[COUNT], sum = 0;
  for (int i = 0; i < COUNT; i++)
    own[i] = x[i] * x[0];
  memcpy(own, (char *)&own[2] + HALF, sizeof *own); // error-near: [nabla: part-of-number]
  for (int i = 0; i < COUNT; i++)
    sum += own[i];
  return sum;
}

double use(const double *x, double *dx) {
  return __enzyme_autodiff((void *)across_the_callers, x, dx) +
         __enzyme_autodiff((void *)across_its_own, x, dx);
}

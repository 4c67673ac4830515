// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A program with most kinds of memory, whose gradient is compared with differences and with forward
 * mode. */
#include <alloca.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

__attribute__((noinline)) static double scaled(const double *x, int n, double by) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * by;
  return sum;
}

__attribute__((noinline)) static double f(const double *x, int n) {
  double copy[8], *heap = malloc(sizeof *heap), run[n];
  char text[32];
  int count = 0;
  memset(copy, 0, sizeof copy);
  memcpy(copy, x, (size_t)n * sizeof *copy);
  for (int i = 0; i < n; i++)
    run[i] = i ? run[i - 1] * copy[i] : copy[i];
  while (count < 2 || copy[0] > count) {
    heap = realloc(heap, (size_t)(count + 1) * sizeof *heap);
    heap[count] = copy[count % n] * run[n - 1] + (int)copy[1];
    count++;
  }
  strcpy(text, "three");
  snprintf(text, sizeof text, "%d", count);
  double sum = scaled(heap, count, copy[0]) + scaled(x, n, run[0]) + (double)strlen(text);
  free(heap);
  return sum;
}

static double difference(const double *x, int n, int k) {
  double one[8], other[8];
  memcpy(one, x, (size_t)n * sizeof *one);
  memcpy(other, x, (size_t)n * sizeof *other);
  one[k] += 1e-6;
  other[k] -= 1e-6;
  return (f(one, n) - f(other, n)) / 2e-6;
}

int main(void) {
  double x[3] = {3.25, 1.5, -0.75}, d[3] = {0}, worst = 0;
  __enzyme_autodiff((void *)f, x, d, enzyme_const, 3);
  for (int k = 0; k < 3; k++) {
    double t[3] = {0}, expected = difference(x, 3, k);
    t[k] = 1;
    double tangent = __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, 3);
    worst = fmax(worst, fabs(d[k] - expected) / (1 + fabs(expected)));
    worst = fmax(worst, fabs(d[k] - tangent) / (1 + fabs(tangent)) * 1e4);
  }
  printf("%s\n", worst < 1e-5 ? "right" : "wrong");
  return worst < 1e-5 ? 0 : 1;
}

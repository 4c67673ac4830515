// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The gradient of a function that lies in a library of several files: `library N` differentiates
 * norm() of N numbers, and compares with the gradient in closed form, w/|x| - x (w.x)/|x|^3.
 */
#include "mag.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

static double weight(int i) { return cos(0.3 * i); }

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The largest error, relative to the gradient's scale. */
static double worst_error(const double *in, const double *d_in, int n) {
  double square = 0, product = 0, worst = 0;
  for (int i = 0; i < n; i++) {
    square += in[i] * in[i];
    product += weight(i) * in[i];
  }
  double length = sqrt(square);
  for (int i = 0; i < n; i++) {
    double expected = weight(i) / length - in[i] * product / (length * square);
    worst = fmax(worst, fabs(d_in[i] - expected) * length);
  }
  return worst;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  size_t bytes = sizeof(double) * (size_t)n;
  double *in = malloc(bytes), *out = malloc(bytes), *d_out = malloc(bytes);
  double *d_in = calloc((size_t)n, sizeof(double));
  for (int i = 0; i < n; i++) {
    in[i] = 1 + sin(0.7 * i);
    d_out[i] = weight(i);
  }
  double start = seconds();
  __enzyme_autodiff((void *)norm, enzyme_dup, out, d_out, enzyme_dup, in, d_in, enzyme_const, n);
  double end = seconds();
  double error = worst_error(in, d_in, n);
  printf("%d numbers: %.3f ms, largest error %.1e\n", n, 1e3 * (end - start), error);
  free(in);
  free(out);
  free(d_out);
  free(d_in);
  return !(error <= 1e-11);
}

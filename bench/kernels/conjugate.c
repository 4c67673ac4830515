// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Conjugate gradients (Hestenes and Stiefel, 1952) for a sparse matrix in compressed rows: some
 * weights of the solution after a given number of steps.
 */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  const int *starts, *columns;
} Pattern;

static void times(int n, const int *RESTRICT starts, const int *RESTRICT columns,
                  const double *RESTRICT values, const double *RESTRICT x, double *RESTRICT out) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++)
      sum += values[k] * x[columns[k]];
    out[i] = sum;
  }
}

static double dot(int n, const double *RESTRICT x, const double *RESTRICT y) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static double conjugate(int n, int steps, const int *RESTRICT starts, const int *RESTRICT columns,
                        const double *RESTRICT values, const double *RESTRICT right,
                        const double *RESTRICT weights) {
  double *x = calloc((size_t)n, sizeof(double));
  double *residual = malloc(sizeof(double) * (size_t)n);
  double *search = malloc(sizeof(double) * (size_t)n);
  double *image = malloc(sizeof(double) * (size_t)n);
  memcpy(residual, right, sizeof(double) * (size_t)n);
  memcpy(search, right, sizeof(double) * (size_t)n);
  double length = dot(n, right, right);
  for (int t = 0; t < steps; t++) {
    times(n, starts, columns, values, search, image);
    double step = length / dot(n, search, image);
    for (int i = 0; i < n; i++) {
      x[i] += step * search[i];
      residual[i] -= step * image[i];
    }
    double next = dot(n, residual, residual);
    for (int i = 0; i < n; i++)
      search[i] = residual[i] + next / length * search[i];
    length = next;
  }
  double result = dot(n, weights, x);
  free(x);
  free(residual);
  free(search);
  free(image);
  return result;
}

static Pattern pattern(const Problem *p) {
  int n = p->sizes[0] * p->sizes[0];
  return (Pattern){n, p->labels, p->labels + n + 1};
}

static double primal(const Problem *p) {
  Pattern at = pattern(p);
  return conjugate(at.n, p->sizes[1], at.starts, at.columns, p->x + at.n, p->x, p->data);
}

static double forward(const Problem *p, const double *direction) {
  Pattern at = pattern(p);
  return __enzyme_fwddiff((void *)conjugate, enzyme_const, at.n, enzyme_const, p->sizes[1],
                          enzyme_const, at.starts, enzyme_const, at.columns, enzyme_dup,
                          p->x + at.n, direction + at.n, enzyme_dup, p->x, direction, enzyme_const,
                          p->data);
}

static void reverse(const Problem *p, double *gradient) {
  Pattern at = pattern(p);
  memset(gradient, 0, sizeof(double) * (size_t)p->inputs);
  __enzyme_autodiff((void *)conjugate, enzyme_const, at.n, enzyme_const, p->sizes[1], enzyme_const,
                    at.starts, enzyme_const, at.columns, enzyme_dup, p->x + at.n, gradient + at.n,
                    enzyme_dup, p->x, gradient, enzyme_const, p->data);
}

const Kernel VARIANT(conjugate) = {primal, forward, reverse};

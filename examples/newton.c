// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Newton's method without a matrix: the minimum of the chained Rosenbrock function of 1000 numbers,
 * by conjugate gradients over products of its Hessian with vectors. The gradient is reverse mode,
 * a product forward mode of the gradient. Compared with the Hessian by hand, and with the minimum.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { SIZE = 1000 };

static double rosenbrock(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    double bend = x[i + 1] - x[i] * x[i];
    double rest = 1 - x[i];
    sum += 100 * bend * bend + rest * rest;
  }
  return sum;
}

static void gradient(const double *x, double *g, int n) {
  memset(g, 0, sizeof(double) * (size_t)n);
  __enzyme_autodiff((void *)rosenbrock, enzyme_dup, x, g, enzyme_const, n);
}

/* product = Hessian * v: how the gradient changes when x moves along v. */
static void hessian_times(const double *x, const double *v, double *product, int n) {
  double g[SIZE];
  memset(product, 0, sizeof(double) * (size_t)n);
  __enzyme_fwddiff((void *)gradient, enzyme_dup, x, v, enzyme_dup, g, product, enzyme_const, n);
}

/* The Hessian is tridiagonal. */
static void by_hand(const double *x, const double *v, double *product, int n) {
  memset(product, 0, sizeof(double) * (size_t)n);
  for (int i = 0; i + 1 < n; i++) {
    product[i] += (1200 * x[i] * x[i] - 400 * x[i + 1] + 2) * v[i] - 400 * x[i] * v[i + 1];
    product[i + 1] += 200 * v[i + 1] - 400 * x[i] * v[i];
  }
}

static double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/*
 * step: the solution of Hessian * step = -g, to a precision that grows towards the minimum, or as
 * far as the Hessian is positive (Steihaug). Returns how many products it took.
 */
static int solve(const double *x, const double *g, double *step, int n) {
  double rest[SIZE], direction[SIZE], product[SIZE];
  double squared = dot(g, g, n), goal = squared * fmin(0.25, squared);
  int products = 0;
  memset(step, 0, sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++)
    direction[i] = rest[i] = -g[i];
  while (squared > goal && products < 4 * n) {
    hessian_times(x, direction, product, n);
    double curvature = dot(direction, product, n);
    if (products++ > 0 && curvature <= 0)
      break;
    double along = curvature > 0 ? squared / curvature : 1 / sqrt(squared), before = squared;
    for (int i = 0; i < n; i++) {
      step[i] += along * direction[i];
      rest[i] -= along * product[i];
    }
    if (curvature <= 0)
      break;
    squared = dot(rest, rest, n);
    for (int i = 0; i < n; i++)
      direction[i] = rest[i] + squared / before * direction[i];
  }
  return products;
}

/* Moves x along the step, by half and half again until the value has fallen enough. */
static void move(double *x, const double *g, const double *step, int n) {
  double value = rosenbrock(x, n), slope = dot(g, step, n), next[SIZE];
  for (double length = 1; length > 1e-10; length /= 2) {
    for (int i = 0; i < n; i++)
      next[i] = x[i] + length * step[i];
    if (rosenbrock(next, n) <= value + 1e-4 * length * slope)
      break;
  }
  memcpy(x, next, sizeof(double) * (size_t)n);
}

/* The largest difference of a product from the one by hand, relative to the largest number. */
static double compare(const double *x, int n) {
  double v[SIZE], derived[SIZE], expected[SIZE], error = 0, largest = 0;
  for (int i = 0; i < n; i++)
    v[i] = cos(0.7 * i);
  hessian_times(x, v, derived, n);
  by_hand(x, v, expected, n);
  for (int i = 0; i < n; i++) {
    error = fmax(error, fabs(derived[i] - expected[i]));
    largest = fmax(largest, fabs(expected[i]));
  }
  return error / largest;
}

int main(void) {
  double x[SIZE], g[SIZE], step[SIZE], away = 0;
  for (int i = 0; i < SIZE; i++)
    x[i] = 1 + 0.3 * sin(1.0 * i);
  double error = compare(x, SIZE);
  gradient(x, g, SIZE);
  for (int i = 0; i < 50 && dot(g, g, SIZE) > 1e-20; i++) {
    int products = solve(x, g, step, SIZE);
    move(x, g, step, SIZE);
    gradient(x, g, SIZE);
    printf("step %d: %d products, value %.3e, gradient %.1e\n", i + 1, products,
           rosenbrock(x, SIZE), sqrt(dot(g, g, SIZE)));
  }
  for (int i = 0; i < SIZE; i++)
    away = fmax(away, fabs(x[i] - 1));
  printf("Hessian: difference from the one by hand %.1e; minimum: %.1e away\n", error, away);
  return !(error <= 1e-13 && away <= 1e-9);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * A vector scaled to length one. As written, norm() takes quadratic time: it asks for the length
 * once for each element. At -O2 the compiler moves that call out of the loop, and because nabla
 * takes the function after the optimiser has seen it, the gradient is linear as well. (The compiler
 * moves the call because mag() is said to be pure; were it inlined, both would be quadratic.)
 *
 *   norm          checks the gradient, times it for n = 2^12 .. 2^16, prints the fitted exponent
 *   norm check    checks the gradient only (for -O0, where nothing is moved)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

enum { FIRST = 12, LAST = 16, TIMES = 20 };

__attribute__((pure, noinline)) static double mag(const double *in, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += in[i] * in[i];
  return sqrt(sum);
}

static void norm(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = in[i] / mag(in, n);
}

/* Adds to `d_in` the gradient of sum_i d_out[i] * out[i], and leaves d_out zero. */
static void norm_gradient(double *out, double *d_out, const double *in, double *d_in, int n) {
  __enzyme_autodiff((void *)norm, enzyme_dup, out, d_out, enzyme_dup, in, d_in, enzyme_const, n);
}

typedef struct {
  double *in, *out, *d_in, *d_out;
} Vectors;

static double weight(int i) { return cos(0.3 * i); }

static void vectors_reset(Vectors *v, int n) {
  for (int i = 0; i < n; i++) {
    v->in[i] = 1 + sin(0.7 * i);
    v->d_in[i] = 0;
    v->d_out[i] = weight(i);
  }
}

/* The largest error of the gradient against w/|x| - x (w.x)/|x|^3, relative to its scale. */
static double worst_error(Vectors *v, int n) {
  vectors_reset(v, n);
  norm_gradient(v->out, v->d_out, v->in, v->d_in, n);
  double length = mag(v->in, n);
  double product = 0;
  for (int i = 0; i < n; i++)
    product += weight(i) * v->in[i];
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double expected = weight(i) / length - v->in[i] * product / (length * length * length);
    worst = fmax(worst, fabs(v->d_in[i] - expected) * length);
  }
  return worst;
}

/* The shortest of several runs, in seconds. */
static double seconds(Vectors *v, int n) {
  double best = HUGE_VAL;
  for (int i = 0; i < TIMES; i++) {
    struct timespec start, end;
    vectors_reset(v, n);
    clock_gettime(CLOCK_MONOTONIC, &start);
    norm_gradient(v->out, v->d_out, v->in, v->d_in, n);
    clock_gettime(CLOCK_MONOTONIC, &end);
    best = fmin(best, (end.tv_sec - start.tv_sec) + 1e-9 * (end.tv_nsec - start.tv_nsec));
  }
  return best;
}

/* The slope of log(time) over log(n), by least squares. */
static double fitted_exponent(Vectors *v) {
  double middle = 0.5 * (FIRST + LAST);
  double covariance = 0;
  double variance = 0;
  for (int power = FIRST; power <= LAST; power++) {
    double time = seconds(v, 1 << power);
    printf("n = %6d   %9.3f us\n", 1 << power, 1e6 * time);
    covariance += (power - middle) * log2(time);
    variance += (power - middle) * (power - middle);
  }
  return covariance / variance;
}

int main(int argc, char **argv) {
  (void)argv;
  size_t bytes = sizeof(double) << LAST;
  Vectors v = {malloc(bytes), malloc(bytes), malloc(bytes), malloc(bytes)};
  double error = worst_error(&v, 1 << 8);
  printf("largest error of the gradient: %.1e\n", error);
  int failed = !(error <= 1e-12);
  if (argc == 1) {
    double exponent = fitted_exponent(&v);
    printf("time of the gradient grows as n^%.2f\n", exponent);
    failed |= !(exponent <= 1.25);
  }
  free(v.in);
  free(v.out);
  free(v.d_in);
  free(v.d_out);
  return failed;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* E = ((A B) B) A for matrices of 512 by 512: the gradient by nabla against the same products
 * called by hand, interleaved; prints both medians, their ratio, and how far the gradients are
 * apart. */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 512, COUNT = N * N, ROUNDS = 15, BYTES = COUNT * sizeof(double) };
enum { PLAIN = CblasNoTrans, TURNED = CblasTrans };

extern void __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

/* The matrices, and their adjoints. */
typedef struct {
  double *a, *b, *c, *d, *e;
} Matrices;

static void multiply(int trans_a, int trans_b, const double *a, const double *b, double beta,
                     double *c) {
  cblas_dgemm(CblasColMajor, trans_a, trans_b, N, N, N, 1, a, N, b, N, beta, c, N);
}

__attribute__((noinline)) static void chain(const double *a, const double *b, double *c, double *d,
                                            double *e) {
  multiply(PLAIN, PLAIN, a, b, 0, c);
  multiply(PLAIN, PLAIN, c, b, 0, d);
  multiply(PLAIN, PLAIN, d, a, 0, e);
}

static void by_hand(const Matrices *m, const Matrices *adjoint) {
  chain(m->a, m->b, m->c, m->d, m->e);
  multiply(PLAIN, TURNED, adjoint->e, m->a, 1, adjoint->d);
  multiply(TURNED, PLAIN, m->d, adjoint->e, 1, adjoint->a);
  multiply(PLAIN, TURNED, adjoint->d, m->b, 1, adjoint->c);
  multiply(TURNED, PLAIN, m->c, adjoint->d, 1, adjoint->b);
  multiply(PLAIN, TURNED, adjoint->c, m->b, 1, adjoint->a);
  multiply(TURNED, PLAIN, m->a, adjoint->c, 1, adjoint->b);
}

static void by_nabla(const Matrices *m, const Matrices *adjoint) {
  __enzyme_autodiff((void *)chain, enzyme_dup, m->a, adjoint->a, enzyme_dup, m->b, adjoint->b,
                    enzyme_dup, m->c, adjoint->c, enzyme_dup, m->d, adjoint->d, enzyme_dup, m->e,
                    adjoint->e);
}

static Matrices new_matrices(void) {
  Matrices m;
  double **all[] = {&m.a, &m.b, &m.c, &m.d, &m.e};
  for (int i = 0; i < 5; i++) {
    *all[i] = aligned_alloc(64, BYTES);
    if (!*all[i])
      abort();
    memset(*all[i], 0, BYTES);
  }
  return m;
}

static void seed(const Matrices *adjoint) {
  double *zero[] = {adjoint->a, adjoint->b, adjoint->c, adjoint->d};
  for (int i = 0; i < 4; i++)
    memset(zero[i], 0, BYTES);
  for (int i = 0; i < COUNT; i++)
    adjoint->e[i] = 1e-3 * (i % 7);
}

static double seconds(void (*gradient)(const Matrices *, const Matrices *), const Matrices *m,
                      const Matrices *adjoint) {
  struct timespec start, end;
  seed(adjoint);
  clock_gettime(CLOCK_MONOTONIC, &start);
  gradient(m, adjoint);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  Matrices m = new_matrices(), hand = new_matrices(), own = new_matrices();
  double times[2][ROUNDS], apart = 0;
  for (int i = 0; i < COUNT; i++) {
    m.a[i] = sin(i) / 20;
    m.b[i] = cos(0.7 * i) / 20;
  }
  for (int round = 0; round < ROUNDS; round++) {
    times[0][round] = seconds(by_hand, &m, &hand);
    times[1][round] = seconds(by_nabla, &m, &own);
  }
  for (int i = 0; i < COUNT; i++)
    apart = fmax(apart, fmax(fabs(hand.a[i] - own.a[i]), fabs(hand.b[i] - own.b[i])));
  for (int i = 0; i < 2; i++)
    qsort(times[i], ROUNDS, sizeof(double), compare);
  double by_hands = times[0][ROUNDS / 2], by_us = times[1][ROUNDS / 2];
  printf("three gemms at n = %d: by hand %.1f ms, nabla %.1f ms, ratio %.3f, apart %.1e\n", N,
         1e3 * by_hands, 1e3 * by_us, by_us / by_hands, apart);
  return apart > 1e-9;
}

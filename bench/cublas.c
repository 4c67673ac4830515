// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* E = ((A B) C) D for matrices of N by N on a GPU: the gradient by nabla, with and without
 * restrict, against the same products called by hand, interleaved; prints the medians, their
 * ratios, and how far the gradients are apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef N
#define N 4096
#endif

enum { COUNT = N * N, ROUNDS = 11, INPUTS = 4, MATRICES = 7, TO_DEVICE = 1, TO_HOST = 2 };
enum { PLAIN, TURNED };

typedef struct cublasContext *Handle;

int cublasCreate_v2(Handle *handle);
int cublasDestroy_v2(Handle handle);
int cublasDgemm_v2(Handle handle, int trans_a, int trans_b, int m, int n, int k,
                   const double *alpha, const double *a, int lda, const double *b, int ldb,
                   const double *beta, double *c, int ldc);
int cudaMalloc(void **memory, size_t bytes);
int cudaFree(void *memory);
int cudaMemcpy(void *to, const void *from, size_t bytes, int direction);
int cudaMemset(void *memory, int byte, size_t bytes);
int cudaDeviceSynchronize(void);

extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static void expect(int status) {
  if (status == 0)
    return;
  fprintf(stderr, "a library failed with status %d\n", status);
  exit(1);
}

static void multiply(Handle handle, int trans_a, int trans_b, const double *a, const double *b,
                     double beta, double *c) {
  const double one = 1;
  cublasDgemm_v2(handle, trans_a, trans_b, N, N, N, &one, a, N, b, N, &beta, c, N);
}

#define CHAIN(NAME, UNSHARED)                                                                      \
  __attribute__((noinline)) static void NAME(                                                      \
      Handle handle, const double *UNSHARED a, const double *UNSHARED b, const double *UNSHARED c, \
      const double *UNSHARED d, double *UNSHARED t, double *UNSHARED u, double *UNSHARED e) {      \
    multiply(handle, PLAIN, PLAIN, a, b, 0, t);                                                    \
    multiply(handle, PLAIN, PLAIN, t, c, 0, u);                                                    \
    multiply(handle, PLAIN, PLAIN, u, d, 0, e);                                                    \
  }
CHAIN(chain, restrict)
CHAIN(chain_of_plain, )

/* The matrices and their adjoints: A to D, what is between, and E. */
static void by_hand(Handle handle, double **x, double **adjoint) {
  chain(handle, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
  multiply(handle, PLAIN, TURNED, adjoint[6], x[3], 0, adjoint[5]);
  multiply(handle, TURNED, PLAIN, x[5], adjoint[6], 1, adjoint[3]);
  multiply(handle, PLAIN, TURNED, adjoint[5], x[2], 0, adjoint[4]);
  multiply(handle, TURNED, PLAIN, x[4], adjoint[5], 1, adjoint[2]);
  multiply(handle, PLAIN, TURNED, adjoint[4], x[1], 1, adjoint[0]);
  multiply(handle, TURNED, PLAIN, x[0], adjoint[4], 1, adjoint[1]);
}

#define GRADIENT(FUNCTION)                                                                         \
  __enzyme_autodiff((void *)(FUNCTION), enzyme_const, handle, enzyme_dup, x[0], adjoint[0],        \
                    enzyme_dup, x[1], adjoint[1], enzyme_dup, x[2], adjoint[2], enzyme_dup, x[3],  \
                    adjoint[3], enzyme_dup, x[4], adjoint[4], enzyme_dup, x[5], adjoint[5],        \
                    enzyme_dup, x[6], adjoint[6])

static void by_nabla(Handle handle, double **x, double **adjoint) { GRADIENT(chain); }

static void of_plain(Handle handle, double **x, double **adjoint) { GRADIENT(chain_of_plain); }

typedef struct {
  const char *name;
  void (*run)(Handle handle, double **x, double **adjoint);
  double seconds[ROUNDS];
} Way;

static double *on_device(const double *numbers) {
  void *memory = NULL;
  expect(cudaMalloc(&memory, COUNT * sizeof(double)));
  expect(cudaMemcpy(memory, numbers, COUNT * sizeof(double), TO_DEVICE));
  return memory;
}

static void fill(double *numbers) {
  for (int i = 0; i < COUNT; i++)
    numbers[i] = rand() / (RAND_MAX + 1.0) - 0.5;
}

static double now(void) {
  struct timespec time;
  expect(cudaDeviceSynchronize());
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(Way *way) {
  qsort(way->seconds, ROUNDS, sizeof(double), by_size);
  return way->seconds[ROUNDS / 2];
}

/* How far the gradient is from that by hand, which is read first, relative to its largest number.
 */
static double distance(double **adjoint, double *first, double *now_here) {
  static int known;
  double most = 0, apart = 0;
  for (int i = 0; i < INPUTS; i++) {
    double *reference = first + (size_t)i * COUNT;
    expect(cudaMemcpy(known ? now_here : reference, adjoint[i], COUNT * sizeof(double), TO_HOST));
    for (int k = 0; known && k < COUNT; k++) {
      most = fmax(most, fabs(reference[k]));
      apart = fmax(apart, fabs(reference[k] - now_here[k]));
    }
  }
  known = 1;
  return most > 0 ? apart / most : 0;
}

int main(void) {
  Way ways[] = {{"by hand", by_hand, {0}},
                {"nabla, restrict", by_nabla, {0}},
                {"nabla, plain pointers", of_plain, {0}}};
  const int count = sizeof ways / sizeof *ways;
  double *numbers = malloc(COUNT * sizeof(double)), *x[MATRICES], *adjoint[MATRICES], apart = 0;
  double *first = malloc(INPUTS * COUNT * sizeof(double)), *seed = malloc(COUNT * sizeof(double));
  Handle handle;
  expect(cublasCreate_v2(&handle));
  for (int i = 0; i < MATRICES; i++) {
    fill(numbers);
    x[i] = on_device(numbers);
    adjoint[i] = on_device(numbers);
  }
  fill(seed);
  for (int round = 0; round < ROUNDS; round++)
    for (int way = 0; way < count; way++) {
      for (int i = 0; i < MATRICES; i++)
        expect(cudaMemset(adjoint[i], 0, COUNT * sizeof(double)));
      expect(cudaMemcpy(adjoint[MATRICES - 1], seed, COUNT * sizeof(double), TO_DEVICE));
      double start = now();
      ways[way].run(handle, x, adjoint);
      ways[way].seconds[round] = now() - start;
      if (round == 0)
        apart = fmax(apart, distance(adjoint, first, numbers));
    }
  double reference = median(&ways[0]);
  for (int way = 0; way < count; way++)
    printf("%-22s %9.3f ms %6.3f\n", ways[way].name, 1e3 * median(&ways[way]),
           median(&ways[way]) / reference);
  printf("the gradients are %.1g apart\n", apart);
  for (int i = 0; i < MATRICES; i++) {
    expect(cudaFree(x[i]));
    expect(cudaFree(adjoint[i]));
  }
  expect(cublasDestroy_v2(handle));
  free(numbers);
  free(first);
  free(seed);
  return apart > 1e-10;
}

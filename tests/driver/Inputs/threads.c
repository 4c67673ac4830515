// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One derivative in several threads at once: the primal's input is shared, the shadows are not. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_const;

enum { COUNT = 200, THREADS = 4, ROUNDS = 20 };

__attribute__((noinline)) static double energy(const double *x, int n) {
  double *own = NULL, sum = 0;
  for (int i = 0; i < n && sum < 1e6; i++) {
    double near[i % 5 + 1];
    for (int k = 0; k <= i % 5; k++)
      near[k] = x[(i + k) % n] * x[i];
    own = realloc(own, (size_t)(i + 1) * sizeof *own);
    own[i] = sin(near[i % 5]) * (i ? own[i - 1] : 1);
    sum += own[i] * near[0];
  }
  free(own);
  return sum;
}

typedef struct {
  const double *x;
  double shadow[COUNT];
} Job;

static void *run(void *given) {
  Job *job = given;
  for (int i = 0; i < ROUNDS; i++) {
    memset(job->shadow, 0, sizeof job->shadow);
    __enzyme_autodiff((void *)energy, job->x, job->shadow, enzyme_const, COUNT);
  }
  return NULL;
}

int main(void) {
  static Job jobs[THREADS];
  double x[COUNT];
  pthread_t threads[THREADS];
  for (int i = 0; i < COUNT; i++)
    x[i] = sin(i) + 1.5;
  for (int i = 0; i < THREADS; i++) {
    jobs[i].x = x;
    if (pthread_create(&threads[i], NULL, run, &jobs[i]) != 0)
      return 2;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  int same = 1;
  for (int i = 1; i < THREADS; i++)
    same = same && memcmp(jobs[0].shadow, jobs[i].shadow, sizeof jobs[0].shadow) == 0;
  puts(same && jobs[0].shadow[0] != 0 ? "right" : "wrong");
  return 0;
}

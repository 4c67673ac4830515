// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Numbers that callbacks get as pointers: their caller, who reads these, makes no number of them
 * itself. */
// RUN: %clang -O0 -w %s -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -w %s -lm -o %t && not --crash %t 2>&1 | FileCheck --check-prefix=LATE %s
// RUN: not %clang -O2 -w -g1 %s -lm -o %t 2>&1 | FileCheck --check-prefix=NO %s
#include <math.h>
#include <stdio.h>
#include <string.h>
extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
#define NOINLINE __attribute__((noinline))

typedef struct {
  double (*apply)(void *, double);
  void *user;
  int times;
} Job;

static void *boxed(double number) {
  void *pointer;
  memcpy(&pointer, &number, sizeof pointer);
  return pointer;
}

static double number_of(void *pointer) {
  double number;
  memcpy(&number, &pointer, sizeof number);
  return number;
}

static double scale(void *user, double y) { return number_of(user) * y; }

static double add(void *user, double y) { return number_of(user) + sin(y); }

static NOINLINE void set(Job *job, double (*apply)(void *, double), void *user) {
  job->apply = apply;
  job->user = user;
  job->times = 1;
}

static NOINLINE double run(const Job *jobs, int count, double y) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < jobs[i].times; k++)
      y = jobs[i].apply(jobs[i].user, y);
  return y;
}

static double jobs(const double *x) {
  Job jobs[2];
  set(jobs, scale, boxed(x[0]));
  set(jobs + 1, add, boxed(x[1]));
  return run(jobs, 2, x[1]);
}

int main(void) {
  double x[2] = {0.7, 1.3}, dx[2] = {0};
  __enzyme_autodiff((void *)jobs, enzyme_dup, x, dx);
  double expected[2] = {cos(x[0] * x[1]) * x[1], cos(x[0] * x[1]) * x[0] + 1};
  for (int i = 0; i < 2; i++)
    if (fabs(dx[i] - expected[i]) > 1e-12)
      printf("%g, not %g\n", dx[i], expected[i]);
  printf("compared\n");
}
// CHECK-NOT: not
// CHECK: compared
// NO: emit-boxed-numbers-called.c:{{.*}}[nabla: unknown-type]
// LATE: 'jobs' moves a number whose derivative is asked for as a pointer

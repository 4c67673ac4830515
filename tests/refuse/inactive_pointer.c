// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions without derivative that store pointers where some to memory with a derivative lie. */
#include <stdlib.h>

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct Row {
  double *at;
  int count;
  const char *name;
} Row;

static double squares(Row *row, double x) {
  double sum = 0;
  for (int i = 0; i < row->count; i++)
    row->at[i] = x * x * i;
  for (int i = 0; i < row->count; i++)
    sum += row->at[i] * row->at[row->count - 1 - i];
  return sum;
}

static __attribute__((noinline)) void make(Row *row, int count) {
  row->at = calloc((size_t)count, sizeof *row->at);
  row->count = count;
}
void *__enzyme_inactivefn_make[] = {(void *)make};

static double through_made(double x) {
  Row row;
  make(&row, 5); // error: 'make' ... [nabla: inactive-pointer]
  double sum = squares(&row, x);
  free(row.at);
  return sum;
}

static double *kept;
static int length;
static __attribute__((noinline)) void keep(int n) {
  kept = calloc((size_t)n, sizeof *kept);
  length = n;
}
void *__enzyme_inactivefn_keep[] = {(void *)keep};

static double through_kept(double x, int n) {
  keep(n); // error: 'keep' ... [nabla: inactive-pointer]
  for (int i = 0; i < length; i++)
    kept[i] = x * i; // error-near: 'kept' ... [nabla: global-active]
  return kept[1] * kept[n - 1];
}

double use(double x) {
  return __enzyme_autodiff((void *)through_made, x) +
         __enzyme_fwddiff((void *)through_made, x, 1.0) +
         __enzyme_autodiff((void *)through_kept, x, 3);
}

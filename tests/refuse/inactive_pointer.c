// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions without derivative that store pointers where some to memory with a derivative lie, or
 * that store or return such. */
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

static __attribute__((noinline)) double *pick(double *x, int i) { return x + i; }
void *__enzyme_inactivefn_pick[] = {(void *)pick};

static double through_picked(double *x) {
  double *p = pick(x, 1); // error: 'pick' ... [nabla: inactive-pointer]
  return *p * *p;
}

typedef struct Node {
  double value;
  struct Node *next;
} Node;
static __attribute__((noinline)) void push(Node **head, Node *node) {
  node->next = *head;
  *head = node;
}
void *__enzyme_inactivefn_push[] = {(void *)push};

static double through_pushed(double x) {
  Node one = {x, NULL}, *head = NULL;
  push(&head, &one); // error: 'push' ... [nabla: inactive-pointer]
  return head->value * head->value;
}

static __attribute__((noinline)) void set(long *slot, double *x) { *slot = (long)x; }
void *__enzyme_inactivefn_set[] = {(void *)set};

static double through_integer(double *x) {
  long slot;
  set(&slot, x + 1); // error: 'set' ... [nabla: inactive-pointer]
  return *(double *)slot * x[0];
}

static __attribute__((noinline)) void sort(double **p, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (*p[j] > *p[i]) {
        double *kept_one = p[i];
        p[i] = p[j];
        p[j] = kept_one;
      }
}
void *__enzyme_inactivefn_sort[] = {(void *)sort};

static double through_sorted(double *x) {
  double *p[2] = {x, x + 1};
  sort(p, 2); // error: 'sort' ... [nabla: inactive-pointer]
  return *p[0] * *p[0];
}

/* Where nothing else of what the caller reads has a derivative. */
static __attribute__((noinline)) void find(const Row *row, double **at) { *at = row->at; }
void *__enzyme_inactivefn_find[] = {(void *)find};

static __attribute__((noinline)) double first_found(const Row *row, double factor) {
  double *at;
  find(row, &at); // error: 'find' ... [nabla: inactive-pointer]
  return at[0] * factor;
}

static __attribute__((noinline)) void copy(Row *to, const Row *from) { *to = *from; }
void *__enzyme_inactivefn_copy[] = {(void *)copy};

static __attribute__((noinline)) double first_copied(const Row *row, double factor) {
  Row other;
  copy(&other, row); // error: 'copy' ... [nabla: inactive-pointer]
  return other.at[0] * factor;
}

static double through_helpers(double x) {
  Row row = {&x, 1, "one"};
  return first_found(&row, 3) + first_copied(&row, 3);
}

double use_pointers(double *x, double *dx) {
  __enzyme_autodiff((void *)through_helpers, x[0]);
  __enzyme_autodiff((void *)through_picked, x, dx);
  __enzyme_autodiff((void *)through_integer, x, dx);
  __enzyme_autodiff((void *)through_sorted, x, dx);
  return __enzyme_autodiff((void *)through_pushed, x[0]);
}

double use(double x) {
  return __enzyme_autodiff((void *)through_made, x) +
         __enzyme_fwddiff((void *)through_made, x, 1.0) +
         __enzyme_autodiff((void *)through_kept, x, 3);
}

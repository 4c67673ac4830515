// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O2
/* A tape that is read twice wants the links between shadows, which the first reverse clears where
 * they may as well be numbers. */
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

extern int enzyme_dup, enzyme_const, enzyme_nofree;
extern void *__enzyme_augmentfwd(void *, ...);
extern void __enzyme_reverse(void *, ...);

typedef struct Record {
  double value;
  struct Record *link;
} Record;

static NOINLINE void exchange(Record *a, Record *b) {
  double room[2 * sizeof(Record) / sizeof(double)];
  memcpy(room, a, sizeof *a); // error: read more than once ... [nabla: entry-unsupported]
  memcpy(a, b, sizeof *a);    // error: read more than once ... [nabla: entry-unsupported]
  memcpy(b, room, sizeof *a); // error: read more than once ... [nabla: entry-unsupported]
}

static NOINLINE Record *make(char *base, const double *x, int n) {
  Record *record = (Record *)(base + (x[0] > 10 ? 64 : 128));
  for (int i = 0; i < n; i++) {
    record[i].value += x[i] * (double)(i + 1);
    record[i].link = &record[i];
  }
  return record;
}

static NOINLINE double weigh(const Record *record, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += record[i].value * (i + 1) + record[i].link->value * 2;
  return sum;
}

static double exchanged(const double *x, int n) {
  char *base = calloc(1, 1024);
  Record *record = make(base, x, n);
  exchange(record, record + 1);
  double sum = weigh(record, n);
  free(base);
  return sum;
}

void twice(double *x, double *d, int n) {
  void *tape = __enzyme_augmentfwd((void *)exchanged, enzyme_dup, x, d, n);
  __enzyme_reverse((void *)exchanged, enzyme_nofree, enzyme_dup, x, d, n, 1.0, tape);
  __enzyme_reverse((void *)exchanged, enzyme_dup, x, d, n, 1.0, tape);
}

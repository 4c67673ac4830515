// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of any length in one buffer, their numbers copied from elsewhere. That lengths are
// multiples of something does not make an array of these records: what lies at such places may be a
// count or a number. The adjoint of a copy is that of numbers then, or the copy is refused.
// RUN: %clang -O0 -DNUMBER=double -DCOPIED %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O0 -DNUMBER=float -DCOUNT=int -DCOPIED %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O1 -DNUMBER=float -DALIGNED=15 %s -o %t -lm && %t | FileCheck %s
// RUN: %clang -O2 -DNUMBER=double -DALIGNED=15 %s -o %t -lm && %t | FileCheck %s
// CHECK: 5.746 -11.2 25.168
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef COUNT
#define COUNT long
#endif
#ifndef ALIGNED
#define ALIGNED 0
#endif

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

typedef struct Record {
  COUNT n;
  NUMBER items[];
} Record;

static size_t length_of(const Record *r) {
  return (sizeof *r + (size_t)r->n * sizeof(NUMBER) + ALIGNED) & ~(size_t)ALIGNED;
}

static size_t write_records(char *buffer, int n, const NUMBER *x) {
  size_t used = 0;
  for (int i = 1; i <= n; i++) {
    Record *r = (Record *)(buffer + used);
    r->n = i;
#ifdef COPIED
    memcpy(r->items, x, (size_t)i * sizeof *x);
#else
    for (int k = 0; k < i; k++)
      r->items[k] = x[k];
#endif
    r->items[0] *= x[n - 1];
    used += length_of(r);
  }
  return used;
}

static NUMBER f(int n, const NUMBER *x) {
  char *buffer = malloc(4096);
  size_t used = write_records(buffer, n, x);
  NUMBER sum = 0;
  for (char *p = buffer; p < buffer + used; p += length_of((Record *)p)) {
    Record *r = (Record *)p;
    NUMBER squares = 0;
    for (int k = 0; k < r->n; k++)
      squares += r->items[k] * r->items[k] * (k + 1);
    sum = sum / 2 + squares * r->n;
  }
  free(buffer);
  return sum;
}

int main(void) {
  NUMBER x[3] = {0.4, -0.7, 1.3}, d[3] = {0};
  __enzyme_autodiff((void *)f, enzyme_const, 3, enzyme_dup, x, d);
  printf("%g %g %g\n", d[0], d[1], d[2]);
}

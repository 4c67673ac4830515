// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that a list keeps as pointers, where pointers come there, too: in sight, as integers, by
// a copy, or in a callee. What is exchanged may be either, and the run refuses it.
// RUN: %clang -O0 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O1 %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O1 -DBITS %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O2 -DCOPY %s -o %t && not --crash %t 2>&1 | FileCheck %s
// RUN: %clang -O0 -DALONE %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O2 -DALONE %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// CHECK: moves a number whose derivative is asked for as a pointer
// RIGHT: 1 3
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);

typedef struct Node {
  void *load;
  struct Node *next;
} Node;

static __attribute__((noinline)) Node *linked(Node *next, double number, double *at) {
  Node *node = malloc(sizeof *node);
  memcpy(&node->load, &number, sizeof number);
  if (at) {
#if defined(BITS)
    uintptr_t bits = (uintptr_t)at;
    memcpy(&node->load, &bits, sizeof bits);
#elif defined(COPY)
    memcpy(&node->load, &at, sizeof at);
#elif !defined(ALONE)
    node->load = at;
#endif
  }
  node->next = next;
  return node;
}

static double moved(double *x) {
  Node *first = linked(linked(NULL, x[0], NULL), 3 * x[1], x);
  void *load = first->load;
  first->load = first->next->load;
  first->next->load = load;
  double sum = 0;
  for (Node *node = first; node; node = node->next) {
    double number;
    memcpy(&number, &node->load, sizeof number);
    sum += number;
  }
  while (first) {
    Node *next = first->next;
    free(first);
    first = next;
  }
  return sum;
}

int main(void) {
  double x[] = {2, 3}, d[2] = {0, 0};
  __enzyme_autodiff((void *)moved, enzyme_dup, x, d);
  printf("%g %g\n", d[0], d[1]);
  return 0;
}

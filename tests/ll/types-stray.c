// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array in a struct of the caller's, of which nothing says how far its index goes: that pointers
// lie in front of it and behind, a multiple of its elements away, says nothing of its elements.
// REQUIRES: llvm-22
// RUN: %clang -gline-tables-only -O0 %s -o %t && %t | FileCheck %s
// RUN: %clang -gline-tables-only -O2 %s -o %t && %t | FileCheck %s
// RUN: not %clang -gline-tables-only -O2 -DBYTES %s -o %t 2>&1 | \
// RUN:   FileCheck --check-prefix=REFUSED %s
// CHECK: 10 100 200 300 20
// REFUSED: types-stray.c:[[@LINE+24]]:{{.*}}[nabla: unknown-type]
#include <stdio.h>
#include <string.h>

typedef struct {
  double a;
  int k;
  double v[3], b;
} Element;

typedef struct {
  double *first;
  Element given, array[2];
  double more[2], *second, *third;
} Block;

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

double f(Block *block, int i) {
  double product = block->first[0] * block->second[1] * block->third[0];
#ifdef BYTES
  char element[sizeof(Element)];
  memcpy(element, &block->array[i], sizeof element);
  memcpy(&block->array[1 - i], element, sizeof element);
#else
  Element element = block->array[i];
  block->array[1 - i] = element;
#endif
  return product;
}

int main(void) {
  double x[3][2] = {{1, 2}, {3, 4}, {5, 6}}, dx[3][2] = {0};
  Block block = {.first = x[0], .second = x[1], .third = x[2]};
  Block shadow = {.first = dx[0], .second = dx[1], .third = dx[2]};
  shadow.array[0] = (Element){10, 0, {100, 200, 300}, 20};
  __enzyme_autodiff((void *)f, enzyme_dup, &block, &shadow, enzyme_const, 1);
  Element *adjoint = &shadow.array[1];
  printf("%g %g %g %g %g\n", adjoint->a, adjoint->v[0], adjoint->v[1], adjoint->v[2], adjoint->b);
  return 0;
}

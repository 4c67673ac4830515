// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A union in the caller's memory, of which a member is copied: what is moved as a number, for that
// is what the other member is, may be a pointer, and nothing tells where it leads. The run does.
// RUN: %clang -gline-tables-only -O0 %s -o %t && %t | FileCheck %s
// RUN: %t reverse | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -gline-tables-only -O2 %s -o %t && %t | FileCheck %s
// RUN: not --crash %t reverse 2>&1 | FileCheck --check-prefix=POINTER %s
// RUN: not --crash %t forward 2>&1 | FileCheck --check-prefix=POINTER %s
// CHECK: 1001 2000.5
// RIGHT: 1001 {{.*}} behind it 3
// POINTER: nabla: 'f' (activity-words-given.c:[[@LINE+23]]) moves a pointer as a number
#include <stdio.h>
#include <string.h>

typedef struct {
  union {
    double number;
    double *pointer;
  } u;
  long is_number;
} Either;

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double f(const Either *given, int count) {
  Either own[2];
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    if (given[i].is_number)
      own[i].u.number = given[i].u.number;
    else
      own[i].u.pointer = given[i].u.pointer;
    own[i].is_number = given[i].is_number;
  }
  for (int i = 0; i < count; i++)
    sum += own[i].is_number ? own[i].u.number * own[i].u.number : *own[i].u.pointer * 2;
  return sum;
}

int main(int count, char **words) {
  double y = 3, dy = 1;
  Either given[2] = {{{.number = 0.5}, 1}, {{.number = 0.25}, 1}};
  Either shadow[2] = {{{1000}, 0}, {{2000}, 0}};
  if (count > 1) {
    given[1] = (Either){{.pointer = &y}, 0};
    shadow[1].u.pointer = &dy;
  }
  if (count > 1 && !strcmp(words[1], "forward"))
    return (int)__enzyme_fwddiff((void *)f, enzyme_dup, given, shadow, enzyme_const, 2);
  __enzyme_autodiff((void *)f, enzyme_dup, given, shadow, enzyme_const, 2);
  printf("%g %g, behind it %g\n", shadow[0].u.number, shadow[1].u.number, dy);
  return 0;
}

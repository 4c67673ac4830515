// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A file without entry points comes out byte for byte the same, at every level, and as bitcode. */
// RUN: clang -O0 -S -emit-llvm %s -o %t.0 && %clang -O0 -S -emit-llvm %s -o %t.plugin.0
// RUN: cmp %t.0 %t.plugin.0
// RUN: clang -O2 -c %s -o %t.2 && %clang -O2 -c %s -o %t.plugin.2
// RUN: cmp %t.2 %t.plugin.2
// RUN: clang -O1 -g -flto -c %s -o %t.1 && %clang -O1 -g -flto -c %s -o %t.plugin.1
// RUN: cmp %t.1 %t.plugin.1
// RUN: clang -O1 -flto=thin -c %s -o %t.3 && %clang -O1 -flto=thin -c %s -o %t.plugin.3
// RUN: cmp %t.3 %t.plugin.3
#include <math.h>
#include <stdlib.h>

double *table(int n) {
  double *values = malloc(n * sizeof *values);
  for (int i = 0; values && i < n; i++)
    values[i] = pow(sin(i), 3);
  return values;
}

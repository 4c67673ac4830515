// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that only gives its result, a struct that the ABI returns in memory, may be called
 * where nobody needs that, whatever it is. */
// RUN: %clang -O0 -c %s -o %t.o
// RUN: %clang -O1 -c %s -o %t.o
extern double __enzyme_autodiff(void *, ...);

typedef struct {
  double a, b, c;
} Three;
extern Three elsewhere(double) __attribute__((const));

static double square(double x) {
  Three unused = elsewhere(x);
  return x * x;
}

double derivative(double x) { return __enzyme_autodiff((void *)square, x); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A callee's result of a pointer and a number in one: the reverse sweep hands it a seed of both,
 * through which second derivatives go. */
// RUN: %clang -O0 -w %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 -w %s -o %t && %t | FileCheck %s
// RUN: not %clang -O2 -w -DREVERSE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=NO %s
int printf(const char *, ...);
extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

typedef struct {
  double *base;
  double value;
} Mixed;

__attribute__((noinline)) static Mixed make(double *x) { return (Mixed){x, x[0] * x[0]}; }

static double cube(double *x) {
  Mixed mixed = make(x);
  return mixed.value * mixed.base[0];
}

static void gradient(double *x, double *dx) { __enzyme_autodiff((void *)cube, enzyme_dup, x, dx); }

int main(void) {
  double x = 1.5, tangent = 1, dx = 0, second = 0;
#ifdef REVERSE
  __enzyme_autodiff((void *)gradient, enzyme_dup, &x, &second, enzyme_dup, &dx, &tangent);
#else
  __enzyme_fwddiff((void *)gradient, enzyme_dup, &x, &tangent, enzyme_dup, &dx, &second);
#endif
  printf("%g %g\n", dx, second);
}
// CHECK: 6.75 9
// NO: is given a value of pointers and numbers with a derivative in one

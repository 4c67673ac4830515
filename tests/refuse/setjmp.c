// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A jump back into a helper with a derivative, past what lies between. */
#include <setjmp.h>

extern double __enzyme_autodiff(void *, ...);

static jmp_buf back;

static __attribute__((noinline)) double limited(double x, int n) {
  if (x > n)
    longjmp(back, 1);
  return x * x;
}

static __attribute__((noinline)) double tried(double x, int n) {
  volatile double y = x;
  if (setjmp(back)) // error-near: [nabla: control-flow]
    return y * 2;
  y = x * 3;
  return limited(y, n);
}

static double twice(double x, int n) { return tried(x, n) * x; }

double use(double x, int n) { return __enzyme_autodiff((void *)twice, x, n); }

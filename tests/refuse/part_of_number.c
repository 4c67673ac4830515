// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A number that is read after a number of another format was stored over a part of it. */
extern double __enzyme_autodiff(void *, ...);

typedef union {
  double whole;
  float half[2];
} Either;

static __attribute__((noinline)) void spoil(Either *e, double x) {
  e->whole = x * x;
  e->half[0] = 0.5f; // error-near: [nabla: part-of-number]
  e->whole = e->whole * x;
}

static double use_of_either(double x) {
  Either e;
  spoil(&e, x);
  return e.whole;
}

double use(double x) { return __enzyme_autodiff((void *)use_of_either, x); }

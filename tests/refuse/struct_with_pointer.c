// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A callee that returns an active number and a pointer to active memory in one struct. */
extern void __enzyme_autodiff(void *, ...);

typedef struct {
  double first, *rest;
} Parts;

static __attribute__((noinline)) Parts split(double *x) {
  Parts p = {x[0] * x[1], x + 1};
  return p;
}

static double product(double *x) {
  Parts p = split(x);       // error: 'split' ... [nabla: call]
  return p.first * *p.rest; // error-anywhere: [nabla: pointer]
}

void use(double *x, double *d) { __enzyme_autodiff((void *)product, x, d); }

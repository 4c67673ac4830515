// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A callee that returns pointers to active memory in a struct. */
extern void __enzyme_autodiff(void *, ...);

typedef struct {
  double *first, *second;
} Two;

static __attribute__((noinline)) Two split(double *x, int n) {
  Two t = {x, x + n};
  return t;
}

static double product(double *x, int n) {
  Two t = split(x, n); // error: [nabla: call]
  return *t.first *    // error-anywhere: [nabla: pointer]
         *t.second;
}

void use(double *x, double *d, int n) { __enzyme_autodiff((void *)product, x, d, n); }

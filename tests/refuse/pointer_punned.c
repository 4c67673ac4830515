// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* A number that is passed to a function as a pointer, which is kept there. */
extern void __enzyme_autodiff(void *, ...);

typedef union {
  double *pointer;
  double number;
} Slot;

__attribute__((noinline)) static double *same(double *pointer, int depth) {
  return depth ? same(pointer, depth - 1) : pointer;
}

static double carry(double *x, int n) {
  Slot from, to;
  if (n > 3)
    from.pointer = x;
  else
    from.number = x[0] * x[1];
  // error-near: bytes are moved from memory that holds pointers at one time
  to.pointer = same(from.pointer, n);
  return n > 3 ? *to.pointer * *to.pointer : to.number * to.number;
}

void request(double *x, double *dx, int n) { __enzyme_autodiff((void *)carry, x, dx, n); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* A pointer that is moved with the number beside it, as two numbers. */
extern double __enzyme_autodiff(void *, ...);

typedef double Two __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct {
  double *pointer;
  double number;
} Slot;

static __attribute__((noinline)) double both(const Slot *slot) {
  return *slot->pointer * slot->number;
}

static double carry(double x) {
  double square = x * x;
  Slot from = {&square, x}, to;
  *(Two *)&to = *(Two *)&from; // error: bytes are moved // error: moved as a number
  return both(&to);
}

double request(double x) { return __enzyme_autodiff((void *)carry, x); }

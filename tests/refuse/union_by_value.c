// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* A union of a number and a pointer, passed by value as a pointer. */
extern double __enzyme_autodiff(void *, ...);

typedef struct Value {
  int tag;
  union {
    struct Value *other;
    double number;
  } held;
} Value;

static double number_of(Value value) {
  // error-near: a union that holds different things // error-near: an integer carries the bits
  return value.tag ? number_of(*value.held.other) : value.held.number;
}

static double last(Value *values) { return number_of(values[3]); }

double request(Value *values, Value *shadows) {
  return __enzyme_autodiff((void *)last, values, shadows);
}

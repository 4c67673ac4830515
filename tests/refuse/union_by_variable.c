// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The same as in union_moved_on.c by way of a variable, which the optimiser takes away. */
extern void __enzyme_autodiff(void *, ...);

typedef struct {
  long tag;
  union {
    double number;
    double *at;
  } u;
} Value;

static double by_way_of_a_variable(const Value *in, Value *out) {
  Value value = *in;
  *out = value; // error: [nabla: unknown-type]
  return value.tag ? *value.u.at : 0;
}

void derivatives(Value *in, Value *din, Value *out, Value *dout) {
  __enzyme_autodiff((void *)by_way_of_a_variable, in, din, out, dout);
}

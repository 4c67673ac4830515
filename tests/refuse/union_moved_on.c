// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Unions of a number and a pointer of which only the pointer is read, and which are moved on to the
 * caller's memory: where one is a number, its adjoint has to come back. */
extern void __enzyme_autodiff(void *, ...);

typedef struct {
  long tag;
  union {
    double number;
    double *at;
  } u;
} Value;

static double copied(const Value *in, Value *out, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) {
    out[i] = in[i]; // error: [nabla: unknown-type]
    if (in[i].tag)
      r += *in[i].u.at * *in[i].u.at;
  }
  return r;
}

static double by_way_of_a_variable(const Value *in, Value *out) {
  Value value = *in;
  *out = value; // error: [nabla: unknown-type]
  return value.tag ? *value.u.at : 0;
}

void derivatives(Value *in, Value *din, Value *out, Value *dout, int n) {
  __enzyme_autodiff((void *)copied, in, din, out, dout, n);
  __enzyme_autodiff((void *)by_way_of_a_variable, in, din, out, dout);
}

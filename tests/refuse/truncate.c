// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Formats that are none, or no narrower, and functions that cannot be copied. */
typedef double Function(double);
extern Function *__enzyme_truncate_op_func(Function *, ...);
extern Function *__enzyme_truncate_mem_func(Function *, ...);
extern double __enzyme_truncate_mem_value(double, ...);
extern double __enzyme_expand_mem_value(double, ...);

static double square(double x) { return x * x; }
static Function *other;
static double through(double x) {
  return other(x); // error: cannot be truncated ... [nabla: indirect-call]
}

void set(Function *f) { other = f; }

Function *longer(void) {
  return __enzyme_truncate_op_func(square, 32, 8, 24); // error: [nabla: entry-unsupported]
}

Function *larger(void) {
  return __enzyme_truncate_op_func(square, 64, 31, 9); // error: [nabla: entry-unsupported]
}

Function *without_digits(void) {
  return __enzyme_truncate_op_func(square, 64, 5, 0); // error: [nabla: entry-unsupported]
}

Function *wider(void) {
  return __enzyme_truncate_op_func(square, 32, 64); // error: [nabla: entry-unsupported]
}

Function *variable(int to) {
  return __enzyme_truncate_op_func(square, 64, to); // error: [nabla: entry-unsupported]
}

Function *unknown_callee(void) { return __enzyme_truncate_op_func(through, 64, 32); }

Function *memory(void) {
  return __enzyme_truncate_mem_func(square, 32, 15, 64); // error: [nabla: entry-unsupported]
}

extern double frexp(double, int *);
static double in_parts(double x) {
  int exponent;
  return frexp(x, &exponent); // error: there is no 'frexp'
}

Function *parts(void) { return __enzyme_truncate_mem_func(in_parts, 64, 15, 64); }

static double bits_of(double x) {
  union {
    double d;
    long l;
  } u = {x};
  return (double)(u.l >> 52);
}
Function *bits(void) { return __enzyme_truncate_op_func(bits_of, 64, 15, 64); }

double value(double x, int to) {
  return __enzyme_truncate_mem_value(x, 64, to); // error: takes a number
}

double value_of_other_type(double x) {
  return __enzyme_expand_mem_value(x, 32, 16); // error: takes a number
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Formats that no processor has, and functions that cannot be copied. */
typedef double Function(double);
extern Function *__enzyme_truncate_op_func(Function *, ...);
extern Function *__enzyme_truncate_mem_func(Function *, ...);

static double square(double x) { return x * x; }
static Function *other;
static double through(double x) {
  return other(x); // error: cannot be truncated ... [nabla: indirect-call]
}

void set(Function *f) { other = f; }

Function *odd(void) {
  return __enzyme_truncate_op_func(square, 64, 7, 9); // error: [nabla: entry-unsupported]
}

Function *wider(void) {
  return __enzyme_truncate_op_func(square, 32, 64); // error: [nabla: entry-unsupported]
}

Function *variable(int to) {
  return __enzyme_truncate_op_func(square, 64, to); // error: [nabla: entry-unsupported]
}

Function *unknown_callee(void) { return __enzyme_truncate_op_func(through, 64, 32); }

Function *memory(void) {
  return __enzyme_truncate_mem_func(square, 64, 32); // error: [nabla: entry-unsupported]
}

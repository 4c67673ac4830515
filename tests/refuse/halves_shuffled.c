// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Halves of active doubles, moved apart as lanes of a vector of integers. */
extern void __enzyme_fwddiff(void *, ...);
typedef double Two __attribute__((vector_size(16)));
typedef int Halves __attribute__((vector_size(16)));

static void exchange(const double *from, double *to) {
  Two two = {from[0], from[1]};
  Halves halves = (Halves)two;
  Two other = (Two)__builtin_shufflevector(halves, halves, 1, 0, 3, 2);
  to[0] = other[0] + other[1];
}

void use(const double *x, const double *dx, double *y, double *dy) {
  __enzyme_fwddiff((void *)exchange, x, dx, y, dy);
}
// error-anywhere: [nabla: integer-carrier]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* A pointer that a function, which calls itself, moves by its halves. */
#include <stdint.h>

extern void __enzyme_autodiff(void *, ...);

typedef uint32_t __attribute__((may_alias)) Half;

__attribute__((noinline)) static void copy(Half *to, const Half *from, int n) {
  if (!n)
    return;
  *to = *from;
  copy(to + 1, from + 1, n - 1);
}

static double carry(double *x) {
  double *from = x, *to;
  // error-near: a pointer to memory with a derivative ... [nabla: unknown-type]
  copy((Half *)&to, (Half *)&from, 2);
  return to[0] * to[1];
}

void request(double *x, double *dx) { __enzyme_autodiff((void *)carry, x, dx); }

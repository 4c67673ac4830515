// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* The bytes of an address are kept apart, and an address is made of them again: each of them says
 * little of it, all of them everything. */
#include <stdint.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

static double through_bytes(const double *x) {
  unsigned char bytes[8];
  uintptr_t address = (uintptr_t)x, again = 0;
  for (int k = 0; k < 8; k++)
    bytes[k] = (unsigned char)(address >> (8 * k));
  for (int k = 0; k < 8; k++)
    again |= (uintptr_t)bytes[k] << (8 * k);
  const double *y = (const double *)again;
  return y[0] * y[0];
}

void first(double *x, double *dx) { __enzyme_autodiff((void *)through_bytes, enzyme_dup, x, dx); }
// error-anywhere: [nabla: unknown-memory]

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A callee copies numbers to where the caller takes them for integers. */
// levels: -O0
#include <stdint.h>
#include <string.h>

extern int enzyme_const, enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

typedef struct {
  int count;
  float number;
} Part;

static void move(void *to, const void *from, int turns) {
  if (turns > 0) {
    move(to, from, turns - 1);
    return;
  }
  memcpy(to, from, sizeof(Part));
}

static double f(const double *x) {
  Part part = {3, (float)x[0]};
  uint64_t bits;
  move(&bits, &part, 3);
  uint32_t upper = (uint32_t)(bits >> 32);
  float number;
  memcpy(&number, &upper, sizeof number); // error: an integer carries the bits of a number
  return number * number * (int)bits;     // error: an integer carries the bits of a number
}

void derivative(const double *x, double *dx) { __enzyme_autodiff((void *)f, enzyme_dup, x, dx); }

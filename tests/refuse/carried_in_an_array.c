// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An array of integers that carries numbers: two of them are moved as integers. */
#include <stdint.h>

extern double __enzyme_fwddiff(void *, ...);

typedef union {
  double number;
  uint64_t bits;
} Both;

void moved(int n, double *x) {
  uint64_t b[6];
  for (int i = 0; i < n; i++) {
    Both u;
    u.number = x[5 - i];
    b[i] = u.bits;
  }
  uint64_t t = b[0];
  b[0] = b[5]; // error: an integer carries the bits of a number
  b[5] = t;    // error-near: an integer carries the bits of a number
  for (int i = 1; i < n; i++) {
    Both u;
    u.bits = b[i - 1];
    x[i] = x[i] + u.number;
  }
}

void request(double *x, double *d) { __enzyme_fwddiff((void *)moved, 6, x, d); }

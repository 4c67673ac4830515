// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O0
/* A helper returns the bits of a number, another changes them: nothing is inlined at -O0. */
#include <stdint.h>

extern double __enzyme_fwddiff(void *, ...);

typedef union {
  double number;
  uint64_t bits;
} Both;

static uint64_t bits_of(double t) {
  Both u;
  u.number = t;
  return u.bits;
}

static double number_of(uint64_t b) {
  Both u;
  u.bits = b; // error: an integer carries the bits of a number
  return u.number;
}

static uint64_t scrambled(uint64_t b) { return b * 3 + 1; }

static double changed(double x) {
  uint64_t b = bits_of(x);
  return number_of(scrambled(b));
}

double request(double x) { return __enzyme_fwddiff((void *)changed, x, 1.0); }

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
  u.bits = b;
  return u.number;
}

static uint64_t scrambled(uint64_t b) { return b * 3 + 1; }

static double changed(double x) {
  uint64_t b = bits_of(x);
  return number_of(scrambled(b)); // error: an integer carries the bits of a number
}

double request(double x) { return __enzyme_fwddiff((void *)changed, x, 1.0); }

/* They rest in an array of integers: neither the call nor the array says that they are no numbers.
 */
static double last_plus_first(const double *x) {
  uint64_t b[4];
  for (int i = 0; i < 4; i++)
    b[i] = bits_of(x[3 - i]);    // error: an integer carries the bits of a number
  return x[0] + number_of(b[0]); // error: an integer carries the bits of a number
}

double second(double *x, double *d) { return __enzyme_fwddiff((void *)last_plus_first, x, d); }

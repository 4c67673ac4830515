// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A registered function gets the bits of a number as an integer: its body is not taken instead. */
// flags: -g
#include <string.h>

extern double __enzyme_autodiff(void *, ...);

static __attribute__((noinline)) double scaled(int bits, double y) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x * y;
}
static double scaled_augmented(int bits, double y) { return scaled(bits, y); }
static double scaled_reverse(int bits, double y, double seed) { return bits * y * seed; }
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)scaled_augmented,
                                             (void *)scaled_reverse};

static double f(double x) {
  float narrow = (float)x;
  int bits;
  memcpy(&bits, &narrow, sizeof bits);
  return scaled(bits, x); // error: an integer carries the bits of a number
}
double d(double x) { return __enzyme_autodiff((void *)f, x); }

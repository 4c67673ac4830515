// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// levels: -O2
/* The bytes of numbers in a long array of integers of a struct that is passed by value. */
#include <string.h>

extern int enzyme_const, enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

typedef struct Sealed {
  float size;
  int times;
  long bits[10];
} Sealed;

static __attribute__((noinline)) void seal(Sealed *s, double x) {
  double all[10] = {0, 0, 0, x};
  memcpy(s->bits, all, sizeof all);
}

static __attribute__((noinline)) double opened(const Sealed *s) {
  double all[10];
  memcpy(all, s->bits, sizeof all);
  return all[3];
}

static __attribute__((noinline)) Sealed resized(Sealed s, int times) {
  if (times <= 0)
    return s;
  s.times = times;
  Sealed r = resized(s, times - 1);
  r.size *= 0.5f;
  return r;
}

static double f(int n, const double *x) {
  Sealed s;
  memset(&s, 0, sizeof s);
  s.size = (float)x[0];
  seal(&s, x[1]);
  s = resized(s, n);
  return opened(&s) * (double)s.size + s.times; // error: an integer carries the bits of a number
}

void use(const double *x, double *d) {
  __enzyme_autodiff((void *)f, enzyme_const, 2, enzyme_dup, x, d);
}

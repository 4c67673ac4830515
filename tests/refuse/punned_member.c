// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A member that is declared to be an integer holds the bytes of a number, and recursion hands the
 * struct on without a look at them. */
// levels: -O0
#include <string.h>

extern void __enzyme_autodiff(void *, ...);

typedef struct Sealed {
  double size;
  int times;
  long bits;
} Sealed;

__attribute__((noinline)) static void seal(Sealed *s, double x) { memcpy(&s->bits, &x, sizeof x); }

static double opened(const Sealed *s) {
  double x;
  memcpy(&x, &s->bits, sizeof x);
  return x;
}

static Sealed sealed(Sealed s, int times) { // error: bytes of active memory are moved
  if (times <= 0)
    return s; // error: bytes of active memory are moved
  Sealed r = sealed(s, times - 1);
  seal(&r, 0.5 * r.size * r.size);
  if (times == 2)
    // error-near: bytes of active memory are moved
    return s;
  return r; // error: bytes of active memory are moved
}

static double total(const double *x) {
  Sealed s = {x[0], 0, 0};
  s = sealed(s, 3); // error: bytes of active memory are moved
  return opened(&s);
}

void gradient(double *x, double *d) { __enzyme_autodiff((void *)total, x, d); }

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A function that calls itself looks at one byte of a number, as an integer, and copies all of
 * them. */
#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

typedef struct {
  double scale, rest;
  union {
    float number;
    unsigned char bytes[4];
  } value;
} Punned;

__attribute__((noinline)) static Punned scaled(Punned p, int times) {
  if (p.value.bytes[0] > 200)
    p.scale *= 2;
  if (times)
    p = scaled(p, times - 1);
  return p;
}

__attribute__((noinline)) static void put(Punned *p, float number) {
  memcpy(&p->value, &number, sizeof number);
}

__attribute__((noinline)) static float get(Punned p) { return p.value.number * 2; }

static double of_punned(const double *x) {
  Punned p = {x[0], x[1], {0}};
  put(&p, (float)x[0]);
  p = scaled(p, 2);
  return p.scale * get(p);
}

void gradient(double *x, double *dx) { __enzyme_autodiff((void *)of_punned, enzyme_dup, x, dx); }
// error-anywhere: [nabla: unknown-type]
// error-anywhere: [nabla: unknown-type]
// error-anywhere: [nabla: unknown-type]

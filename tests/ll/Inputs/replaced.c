// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of replacing.rules must be asked wherever the functions are called.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, ...), __enzyme_fwddiff(void *, ...);
float __enzyme_autodiff_float(void *, ...), __enzyme_fwddiff_float(void *, ...);

static double fabs_twice(double x) { return fabs(-x) + fabs(x) * 2; }
static double sin_odd(double x) { return sin(-x); }
static double saved(double x) { return sqrt(x) * 0.5; }
static double stairs(double x) { return floor(floor(x)); }
static double square(double x) { return pow(x, 2.0); }
static double rest(double x) { return fmod(x, 1.5); }
static double both(double x) {
  double s, c;
  sincos(x, &s, &c);
  return s + c;
}
static double fraction(double x) {
  double whole;
  return modf(x, &whole);
}
static double in_double(double x) { return log(x) + exp(x) * 0; }
static float fabs_float(float x) { return fabsf(x); }
static float sin_float(float x) { return sinf(x); }
static float in_float(float x) { return expf(x) + logf(x) * 0; }

#define SHOW(f, x) \
  printf(#f " %g %g\n", __enzyme_autodiff((void *)f, x), __enzyme_fwddiff((void *)f, x, 1.0))
#define SHOW_FLOAT(f, x) \
  printf(#f " %g %g\n", __enzyme_autodiff_float((void *)f, x), \
         __enzyme_fwddiff_float((void *)f, x, 1.0f))

int main(void) {
  SHOW(fabs_twice, 0.5);
  SHOW(sin_odd, 0.0);
  SHOW(saved, 4.0);
  SHOW(stairs, 0.5);
  SHOW(square, 3.0);
  SHOW(rest, 2.0);
  SHOW(both, 2.0);
  SHOW(fraction, 2.5);
  SHOW(in_double, 2.0);
  SHOW_FLOAT(fabs_float, 0.5f);
  SHOW_FLOAT(sin_float, 0.5f);
  SHOW_FLOAT(in_float, 0.5f);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Complex products and quotients, which compilers leave to functions of their own. The truth is the
 * quotient rule, in complex arithmetic that nobody differentiates. */
// differences: none
#include "cases.h"

#include <complex.h>

extern NB_REAL __enzyme_autodiff(void *, ...);
extern NB_REAL __enzyme_fwddiff(void *, ...);

typedef NB_REAL _Complex Complex;

static Complex above(NB_REAL x) { return (x + 2 * I) * (3 + x * x * I); }
static Complex below(NB_REAL x) { return (1 - x * I) * (2 + x); }
static Complex above_slope(NB_REAL x) { return (3 + x * x * I) + (x + 2 * I) * (2 * x * I); }
static Complex below_slope(NB_REAL x) { return -I * (2 + x) + (1 - x * I); }

static Complex quotient(NB_REAL x) { return above(x) / below(x); }

static Complex slope(NB_REAL x) {
  Complex n = above(x);
  Complex d = below(x);
  return (above_slope(x) * d - n * below_slope(x)) / (d * d);
}

static NB_REAL real_part(NB_REAL x) { return (NB_REAL)creal(quotient(x)); }
static NB_REAL imaginary_part(NB_REAL x) { return (NB_REAL)cimag(quotient(x)); }

static void sum_of_powers(const Complex *z, Complex *sum, int n) {
  Complex power = 1;
  *sum = 0;
  for (int i = 0; i < n; i++) {
    *sum += power;
    power *= *z;
  }
}

CHECK(complex_real) {
  EXPECT(__enzyme_autodiff((void *)real_part, (NB_REAL)0.7), (NB_REAL)creal(slope(0.7)));
  EXPECT(__enzyme_fwddiff((void *)real_part, (NB_REAL)0.7, (NB_REAL)1), (NB_REAL)creal(slope(0.7)));
}

CHECK(complex_imaginary) {
  EXPECT(__enzyme_autodiff((void *)imaginary_part, (NB_REAL)-1.3), (NB_REAL)cimag(slope(-1.3)));
  EXPECT(__enzyme_fwddiff((void *)imaginary_part, (NB_REAL)-1.3, (NB_REAL)1),
         (NB_REAL)cimag(slope(-1.3)));
}

/* The sum's slope is 1 + 2 z + 3 z^2; its transpose maps the adjoint (1, 0) of the sum onto the
 * real part and minus the imaginary part of that. */
CHECK(complex_in_memory) {
  Complex z = 0.5 + 0.25 * I;
  Complex zb = 0;
  Complex sum = 0;
  Complex sumb = 1;
  __enzyme_autodiff((void *)sum_of_powers, &z, &zb, &sum, &sumb, 4);
  Complex expected = 1 + 2 * z + 3 * z * z;
  EXPECT((NB_REAL)creal(zb), (NB_REAL)creal(expected));
  EXPECT((NB_REAL)cimag(zb), (NB_REAL)-cimag(expected));
}

/* The ABI hands complex numbers in long double over in memory, in float as one vector. */
static NOINLINE long double _Complex long_step(long double _Complex a, long double _Complex b) {
  return cexpl(a) * b + csqrtl(b);
}

static NB_REAL long_parts(NB_REAL x) {
  long double _Complex z[2];
  long double _Complex copy[2];
  z[0] = (long double)x + 1 * I;
  z[1] = long_step(z[0], 2 + z[0] * I);
  memcpy(copy, z, sizeof z);
  long double _Complex sum = copy[0] * copy[1];
  return (NB_REAL)(cabsl(sum) + cargl(sum));
}

static NOINLINE float _Complex narrow_step(float _Complex a, float _Complex b) {
  return cexpf(a) * b + csqrtf(b);
}

static NB_REAL narrow_parts(NB_REAL x) {
  float _Complex z = (float)x + 1 * I;
  float _Complex w = z * narrow_step(z, 2 + z * I);
  return (NB_REAL)(cabsf(w) + cargf(w));
}

/* The slope of |w| + arg(w) for w = z * step(z, 2 + i z) at z = 1/2 + i. */
static double slope_of_parts(void) {
  double _Complex z = 0.5 + 1 * I;
  double _Complex b = 2 + z * I;
  double _Complex step = cexp(z) * b + csqrt(b);
  double _Complex ratio = 1 / z + (cexp(z) * (b + I) + I / (2 * csqrt(b))) / step;
  return creal(ratio) * cabs(z * step) + cimag(ratio);
}

CHECK(complex_in_long_double) {
  NB_REAL expected = (NB_REAL)slope_of_parts();
  EXPECT(__enzyme_autodiff((void *)long_parts, (NB_REAL)0.5), expected);
  EXPECT(__enzyme_fwddiff((void *)long_parts, (NB_REAL)0.5, (NB_REAL)1), expected);
}

CHECK(complex_in_float) {
  NB_REAL forward = __enzyme_fwddiff((void *)narrow_parts, (NB_REAL)0.5, (NB_REAL)1);
  NB_REAL reverse = __enzyme_autodiff((void *)narrow_parts, (NB_REAL)0.5);
  EXPECT(fabs((double)forward - slope_of_parts()) < 1e-4, 1);
  EXPECT(fabs((double)reverse - slope_of_parts()) < 1e-4, 1);
}

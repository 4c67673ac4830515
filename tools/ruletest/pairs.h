// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions with two results as one complex number, for the tests of rows whose result is a struct.
 */
#ifndef NABLA_PAIRS_H
#define NABLA_PAIRS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>

#include "standins.h"

#define nb_generic(name, x) _Generic(x, float: name##f, long double: name##l, default: name)

static inline _Complex float nb_frexpf(float x) {
  int exponent;
  return __builtin_complex(frexpf(x, &exponent), (float)0);
}

static inline _Complex double nb_frexp(double x) {
  int exponent;
  return __builtin_complex(frexp(x, &exponent), (double)0);
}

static inline _Complex long double nb_frexpl(long double x) {
  int exponent;
  return __builtin_complex(frexpl(x, &exponent), (long double)0);
}

static inline _Complex float nb_modff(float x) {
  float whole, rest = modff(x, &whole);
  return __builtin_complex(rest, whole);
}

static inline _Complex double nb_modf(double x) {
  double whole, rest = modf(x, &whole);
  return __builtin_complex(rest, whole);
}

static inline _Complex long double nb_modfl(long double x) {
  long double whole, rest = modfl(x, &whole);
  return __builtin_complex(rest, whole);
}

static inline _Complex float nb_sincosf(float x) {
  float sine, cosine;
  sincosf(x, &sine, &cosine);
  return __builtin_complex(sine, cosine);
}

static inline _Complex double nb_sincos(double x) {
  double sine, cosine;
  sincos(x, &sine, &cosine);
  return __builtin_complex(sine, cosine);
}

static inline _Complex long double nb_sincosl(long double x) {
  long double sine, cosine;
  sincosl(x, &sine, &cosine);
  return __builtin_complex(sine, cosine);
}

static inline _Complex float nb_sincospif(float x) {
  return __builtin_complex(sinpif(x), cospif(x));
}

static inline _Complex double nb_sincospi(double x) {
  return __builtin_complex(sinpi(x), cospi(x));
}

static inline _Complex long double nb_sincospil(long double x) {
  return __builtin_complex(sinpil(x), cospil(x));
}

/* The inverse of erf in (-1, 1), by Newton's method. */
static inline long double nb_erfinv(long double y) {
  long double x = 0;
  for (int i = 0; i < 60; i++)
    x += (y - erfl(x)) * expl(x * x) / 1.12837916709551257389615890312154517L;
  return x;
}

#endif

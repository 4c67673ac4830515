// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Faddeeva's package in the tests of rows: libcerf under its names, and what libcerf has in double
 * alone. */
#include "faddeeva.h"

#include <math.h>

static const long double two_by_root_pi = 1.12837916709551257389615890312154517L;

/* By the continued fraction DLMF 7.9.1 where the product loses digits. */
long double erfcxl(long double x) {
  if (x < 2)
    return expl(x * x) * erfcl(x);
  long double rest = 0;
  for (int n = 400; n > 0; n--)
    rest = n / (2 * (x + rest));
  return two_by_root_pi / (2 * (x + rest));
}

/* Rybicki's sum (runtime/special_error.c). */
long double dawsonl(long double x) {
  const long double h = 0.2L;
  long long middle = 2 * llroundl(0.5L * (x / h - 1)) + 1;
  long double sum = 0;
  for (int k = -36; k <= 36; k += 2) {
    long double u = x - (middle + k) * h;
    sum += expl(-u * u) / (middle + k);
  }
  return 0.5L * two_by_root_pi * sum;
}

long double erfil(long double x) { return two_by_root_pi * expl(x * x) * dawsonl(x); }

float erfcxf(float x) { return (float)erfcxl(x); }
float dawsonf(float x) { return (float)dawsonl(x); }
float erfif(float x) { return (float)erfil(x); }

double Faddeeva_erf_re(double x) { return erf(x); }
double Faddeeva_erfc_re(double x) { return erfc(x); }
double Faddeeva_w_im(double x) { return im_w_of_x(x); }

double complex Faddeeva_w(double complex z, double error) { return (void)error, w_of_z(z); }
double complex Faddeeva_erfcx(double complex z, double error) { return (void)error, cerfcx(z); }
double complex Faddeeva_Dawson(double complex z, double error) { return (void)error, cdawson(z); }
double complex Faddeeva_erf(double complex z, double error) { return (void)error, cerf(z); }
double complex Faddeeva_erfc(double complex z, double error) { return (void)error, cerfc(z); }
double complex Faddeeva_erfi(double complex z, double error) { return (void)error, cerfi(z); }

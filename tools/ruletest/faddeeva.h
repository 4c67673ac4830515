// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the tests of rules/error.rules call, in libcerf and in faddeeva.c. */
#ifndef NABLA_FADDEEVA_H
#define NABLA_FADDEEVA_H

#include <complex.h>

double erfcx(double x);
float erfcxf(float x);
long double erfcxl(long double x);
double dawson(double x);
float dawsonf(float x);
long double dawsonl(long double x);
double erfi(double x);
float erfif(float x);
long double erfil(long double x);
double im_w_of_x(double x);
double complex w_of_z(double complex z);
double complex cerf(double complex z);
double complex cerfc(double complex z);
double complex cerfcx(double complex z);
double complex cerfi(double complex z);
double complex cdawson(double complex z);
double Faddeeva_erf_re(double x);
double Faddeeva_erfc_re(double x);
double Faddeeva_w_im(double x);
double complex Faddeeva_w(double complex z, double error);
double complex Faddeeva_erf(double complex z, double error);
double complex Faddeeva_erfc(double complex z, double error);
double complex Faddeeva_erfcx(double complex z, double error);
double complex Faddeeva_erfi(double complex z, double error);
double complex Faddeeva_Dawson(double complex z, double error);

#endif

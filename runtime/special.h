// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Special functions that libm lacks, and that occur in derivatives of those it has. They have rows
 * in rules/special.rules, so that they can be differentiated themselves. */
#ifndef NABLA_RUNTIME_SPECIAL_H
#define NABLA_RUNTIME_SPECIAL_H

/* The polygamma function psi^(order)(x): the derivative of `order` + 1 of log(gamma(x)); order 0 is
 * the digamma function. Orders from 0 to 30, else NaN. At x = 0 infinite with the sign of the
 * limit, at other poles NaN where the sides differ. The error is a few units in the last place of
 * the largest of the terms that are added, which near the zeros of the function are larger than it.
 * That of a long double is the same.
 *
 * Method: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.3 and 6.4: recurrence 6.4.6
 * up to arguments of at least 12 + order, there the asymptotic series 6.4.11; below 1/2 reflection,
 * 6.4.7. */
double __nabla_polygamma(int order, double x);
float __nabla_polygammaf(int order, float x);
long double __nabla_polygammal(int order, long double x);

/* Derivatives in double alone; each of order 0 is the function. Higher orders than these or
 * arguments out of the domain give NaN. Errors are a few units in the last place, where nothing
 * else is said. */

/* log(gamma(x)) less (x - 1/2) log(x) - x + log(2 pi) / 2, for x > 0: the derivative of `order` +
 * 1, to 30; from order 1 on a few units in the last place of psi^(order)(x). */
double __nabla_stirling(int order, double x);
/* exp(x^2) erfc(x): the derivative of `order`, to 12. */
double __nabla_erfcx(int order, double x);
/* The real or the imaginary part of exp(z^2), z = x + i y. */
double __nabla_exp_of_square(int imaginary, double x, double y);
/* Dawson's integral exp(-x^2) times that of exp(t^2) from 0 to x: the derivative of `order`, to 12;
 * from order 2 on a few units in the last place of the largest value. */
double __nabla_dawson(int order, double x);
/* Riemann's zeta function: the derivative of `order`, to 5; far left of 0 with the error of pow and
 * of the gamma function. */
double __nabla_zeta(int order, double s);
/* x^(a - 1) exp(-x) / gamma(a), for a >= 0 and x >= 0, not both 0. */
double __nabla_gamma_density(double a, double x);
/* The derivative in `a` of the regularised lower incomplete gamma function P(a, x); likewise. */
double __nabla_gamma_inc(double a, double x);

#endif

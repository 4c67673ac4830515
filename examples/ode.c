// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Forward mode through a time loop: how does logistic growth, x' = r x (1 - x), at time 5 react to
 * the rate r? Integrated by the classical Runge-Kutta method; the answer is t x (1 - x).
 */
#include <math.h>
#include <stdio.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_fwddiff(void *, ...);

static double growth(double rate, double x) { return rate * x * (1 - x); }

static double population(double rate, double time, int steps) {
  double h = time / steps;
  double x = 0.1;
  for (int i = 0; i < steps; i++) {
    double k1 = growth(rate, x);
    double k2 = growth(rate, x + 0.5 * h * k1);
    double k3 = growth(rate, x + 0.5 * h * k2);
    double k4 = growth(rate, x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return x;
}

int main(void) {
  double rate = 1.2;
  double time = 5;
  int steps = 1000;
  double x = population(rate, time, steps);
  double slope = __enzyme_fwddiff((void *)population, enzyme_dup, rate, 1.0, enzyme_const, time,
                                  enzyme_const, steps);
  double expected = time * x * (1 - x);
  printf("x(5) = %.9f, dx/dr = %.9f, exactly %.9f\n", x, slope, expected);
  return !(fabs(slope - expected) <= 1e-9);
}

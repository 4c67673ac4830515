// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Compares the derivatives of `f`, in both modes, with dual numbers. */
#pragma once
#include <cmath>
#include <cstdio>

extern int enzyme_dup, enzyme_const;
template <class R, class... A> R __enzyme_autodiff(void *, A...);
template <class R, class... A> R __enzyme_fwddiff(void *, A...);

enum { NUMBERS = 5 };
static const int count = 3;

static double subject(const double *x, int n) { return f<double>(x, n); }

/* Floats round, and dual numbers do not. */
static bool agree(double a, double b) { return std::fabs(a - b) < 2e-4 * (1 + std::fabs(b)); }

int main() {
  double x[NUMBERS] = {1.1, 0.7, 1.3, 0.4, 0.9}, gradient[NUMBERS] = {0}, direction[NUMBERS];
  double primal = subject(x, count);
  __enzyme_autodiff<void>((void *)subject, enzyme_dup, x, gradient, enzyme_const, count);
  for (int i = 0; i < NUMBERS; i++) {
    Dual y[NUMBERS];
    for (int j = 0; j < NUMBERS; j++) {
      direction[j] = j == i;
      y[j] = Dual(x[j], j == i);
    }
    double tangent =
        __enzyme_fwddiff<double>((void *)subject, enzyme_dup, x, direction, enzyme_const, count);
    Dual wanted = f<Dual>(y, count);
    if (!agree(primal, wanted.value))
      return std::fputs("not smooth", stderr), 0;
    if (agree(tangent, wanted.tangent) && agree(gradient[i], wanted.tangent))
      continue;
    std::fprintf(stderr, "wrong: %d: %g, forward mode %g, reverse mode %g\n", i, wanted.tangent,
                 tangent, gradient[i]);
    return 1;
  }
  return std::fputs("right", stderr), 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -ffp-model=strict
// reals: double
/* Arithmetic that says how it rounds and what becomes of exceptions. */
#include "cases.h"

SUM(strict_arithmetic, 5, 0.1, -0.2, 0.3, 0.4, 0.5) {
  real s = 0.25;
  for (int i = 0; i < n; i++) {
    s += x[i] * x[i] * s - sin(x[i] * s) / (x[i] + 2);
    if (s > 0.3)
      s = s * 0.75 + n - i;
    x[i] = s * i - exp(x[i]) + fabs(x[i]);
  }
  return s;
}

SCALAR2(strict_functions, 0.7, 1.9) {
  return sqrt(x * x + 1) * pow(x * x + 0.5, y) + cos(y) + log(1 + y * y) + floor(y) * x +
         fmod(x + 7, 3) + (x > y ? tan(x) : tanh(y));
}

SUM(strict_conversions, 3, 0.7, -1.3, 0.4) {
  extended longer = 1;
  for (int i = 0; i < n; i++) {
    longer = longer * x[i] + 0.5;
    x[i] = x[i] * (real)longer;
  }
  return x[0] * x[1] + (real)((extended)x[2] * x[1]);
}

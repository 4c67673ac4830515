// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is added to the exponent of a number as an integer. The rows are in rules/formats.rules. */
#include <stdint.h>
#include <string.h>

double __nabla_raise_double(double x, int n);
float __nabla_raise_float(float x, int n);

double __nabla_raise_double(double x, int n) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (uint64_t)n << 52;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

float __nabla_raise_float(float x, int n) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits += (uint32_t)n << 23;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What is added to the exponent of a number as an integer, and numbers of the same fraction, or of
 * another end. The
 * rows are in rules/formats.rules. */
#include <stdint.h>
#include <string.h>

double __nabla_raise_double(double x, int n);
float __nabla_raise_float(float x, int n);
double __nabla_exponent_double(double x, int n);
float __nabla_exponent_float(float x, int n);
double __nabla_overwrite_double(double x, int count, int end);
float __nabla_overwrite_float(float x, int count, int end);
double __nabla_apart_double(double x);
float __nabla_apart_float(float x);

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

/* The number of the same fraction whose sign and exponent are `n`. */
double __nabla_exponent_double(double x, int n) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)n << 52;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

float __nabla_exponent_float(float x, int n) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits & ((UINT32_C(1) << 23) - 1)) | (uint32_t)n << 23;
  memcpy(&x, &bits, sizeof bits);
  return x;
}

/* The number with the `count` lowest bits of `end` in its own, at most 32. */
double __nabla_overwrite_double(double x, int count, int end) {
  uint64_t bits, mask = (UINT64_C(1) << count) - 1;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits & ~mask) | ((uint32_t)end & mask);
  memcpy(&x, &bits, sizeof bits);
  return x;
}

/* The same, at most 16. */
float __nabla_overwrite_float(float x, int count, int end) {
  uint32_t bits, mask = (UINT32_C(1) << count) - 1;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits & ~mask) | ((uint32_t)end & mask);
  memcpy(&x, &bits, sizeof bits);
  return x;
}

/* The number, without its derivative. */
double __nabla_apart_double(double x) { return x; }

float __nabla_apart_float(float x) { return x; }

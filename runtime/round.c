// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A result is known as a double and the sign of what the double lacks. That is enough to round the
 * exact result once: only where the digits that are dropped are just half a unit does the sign
 * matter. The errors are those of Dekker, "A floating-point technique for extending the available
 * precision" (1971), and Knuth's of a sum; products and quotients are taken of fractions near 1,
 * where nothing overflows or underflows. */
#include "round.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { DIGITS = 53 };

/* The number `value` * 2^`scale`, which lacks something of the sign `lacks`, less than a unit in
 * the value's last place. */
typedef struct Result {
  double value;
  int scale, lacks;
} Result;

static inline int sign_of(double x) { return (x > 0) - (x < 0); }

/* The last `drop` of the digits rounded away; `beyond` is the sign of what follows them. */
static uint64_t round_digits(uint64_t digits, int drop, int beyond) {
  if (drop <= 0)
    return digits;
  if (drop > DIGITS)
    return 0;
  uint64_t kept = digits >> drop, half = (uint64_t)1 << (drop - 1);
  uint64_t rest = digits - (kept << drop);
  bool tie = rest == half;
  bool up = rest > half || (tie && (beyond > 0 || (beyond == 0 && kept % 2 == 1)));
  return kept + up;
}

static double rounded(Result result, int exponent, int significand) {
  if (result.value == 0 || !isfinite(result.value))
    return result.value;
  int most = (1 << (exponent - 1)) - 1, position;
  double fraction = frexp(fabs(result.value), &position);
  position += result.scale - 1;
  int lowest = 1 - most;
  int precision = significand + 1 - (position < lowest ? lowest - position : 0);
  int drop = DIGITS - precision;
  int beyond = result.value < 0 ? -result.lacks : result.lacks;
  uint64_t digits = (uint64_t)ldexp(fraction, DIGITS);
  double size = (double)round_digits(digits, drop, beyond);
  size = ldexp(size, position + 1 - DIGITS + (drop > 0 ? drop : 0));
  if (size >= ldexp(1, most) * 2)
    size = INFINITY;
  return copysign(size, result.value);
}

static Result sum(double x, double y) {
  double s = x + y;
  double other = s - x;
  double error = (x - (s - other)) + (y - other);
  return (Result){s, 0, isfinite(s) ? sign_of(error) : 0};
}

/* The error of x * y, for fractions near 1. */
static double error_of_product(double x, double y, double product) {
  const double split = 0x1p27 + 1;
  double high_x = split * x - (split * x - x), low_x = x - high_x;
  double high_y = split * y - (split * y - y), low_y = y - high_y;
  return ((high_x * high_y - product) + high_x * low_y + low_x * high_y) + low_x * low_y;
}

static Result product(double x, double y) {
  int scale_x, scale_y;
  double plain = x * y;
  if (x == 0 || y == 0 || !isfinite(x) || !isfinite(y))
    return (Result){plain, 0, 0};
  double a = frexp(x, &scale_x), b = frexp(y, &scale_y), p = a * b;
  return (Result){p, scale_x + scale_y, sign_of(error_of_product(a, b, p))};
}

static Result quotient(double x, double y) {
  int scale_x, scale_y;
  double plain = x / y;
  if (x == 0 || y == 0 || !isfinite(x) || !isfinite(y))
    return (Result){plain, 0, 0};
  double a = frexp(x, &scale_x), b = frexp(y, &scale_y), q = a / b, p = q * b;
  double rest = (a - p) - error_of_product(q, b, p);
  return (Result){q, scale_x - scale_y, sign_of(rest) * sign_of(b)};
}

double __nabla_round(double x, int exponent, int significand) {
  return rounded((Result){x, 0, 0}, exponent, significand);
}

double __nabla_round_add(double x, double y, int exponent, int significand) {
  return rounded(sum(x, y), exponent, significand);
}

double __nabla_round_sub(double x, double y, int exponent, int significand) {
  return rounded(sum(x, -y), exponent, significand);
}

double __nabla_round_mul(double x, double y, int exponent, int significand) {
  return rounded(product(x, y), exponent, significand);
}

double __nabla_round_div(double x, double y, int exponent, int significand) {
  return rounded(quotient(x, y), exponent, significand);
}

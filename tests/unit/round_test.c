// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic in odd formats against that of 113 digits, rounded once more: sums of numbers of
 * similar size and products are exact there, and quotients are never that near to where the
 * rounding turns. The runtime is compiled into this test. */
#include "../../runtime/round.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef __float128 Wide;

typedef struct {
  int exponent, significand;
} Format;

static const Format formats[] = {{2, 1},  {3, 2},  {4, 3},   {5, 2},   {5, 10},  {7, 9},
                                 {8, 7},  {8, 23}, {11, 52}, {11, 51}, {10, 52}, {10, 51},
                                 {6, 50}, {2, 52}, {11, 1},  {9, 30}};

enum { FORMATS = sizeof formats / sizeof *formats, ROUNDS = 3000 };

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 16;
}

/* Often with few digits, so that ties occur; of a size between 2^-range and 2^range. */
static double some_number(uint64_t *state, int range) {
  uint64_t digits = next_random(state) | (uint64_t)1 << 47;
  int kept = (int)(next_random(state) % 48);
  digits = digits >> kept << kept;
  double number = ldexp((double)digits, (int)(next_random(state) % (2u * (unsigned)range)) - range);
  return next_random(state) % 2 ? ldexp(number, -48) : -ldexp(number, -48);
}

static Wide scaled(Wide x, int by) { return x * ldexp(1, by / 2) * ldexp(1, by - by / 2); }

static double reference(Wide exact, Format format) {
  const Wide turn = scaled(1.5, 112);
  Wide size = exact < 0 ? -exact : exact;
  if (size == 0)
    return 0;
  int most = (1 << (format.exponent - 1)) - 1, position;
  frexp((double)size, &position);
  position -= 1;
  position -= scaled(1, position) > size;
  int unit = (position < 1 - most ? 1 - most : position) - format.significand;
  Wide whole = scaled(size, -unit) + turn - turn;
  double result = (double)scaled(whole, unit);
  if (result >= ldexp(1, most) * 2)
    result = INFINITY;
  return exact < 0 ? -result : result;
}

static void expect(double found, Wide exact, Format format, const char *what) {
  double expected = reference(exact, format);
  if (found != expected)
    fail_msg("%s in {%d, %d}: %a, not %a", what, format.exponent, format.significand, found,
             expected);
}

static void rounds_numbers(void **unused) {
  (void)unused;
  uint64_t state = 1;
  for (int i = 0; i < FORMATS * ROUNDS; i++) {
    Format f = formats[i % FORMATS];
    double x = some_number(&state, 1 << (f.exponent - 1));
    expect(__nabla_round(x, f.exponent, f.significand), x, f, "number");
  }
}

static void computes(void **unused) {
  (void)unused;
  uint64_t state = 2;
  for (int i = 0; i < FORMATS * ROUNDS; i++) {
    Format f = formats[i % FORMATS];
    double x = some_number(&state, 20), y = some_number(&state, 20);
    expect(__nabla_round_add(x, y, f.exponent, f.significand), (Wide)x + y, f, "sum");
    expect(__nabla_round_sub(x, y, f.exponent, f.significand), (Wide)x - y, f, "difference");
    x = some_number(&state, 1 << (f.exponent - 2));
    y = some_number(&state, 1 << (f.exponent - 2));
    expect(__nabla_round_mul(x, y, f.exponent, f.significand), (Wide)x * y, f, "product");
    expect(__nabla_round_div(x, y, f.exponent, f.significand), (Wide)x / y, f, "quotient");
  }
}

/* What is far too small to be a digit still decides which way a tie goes. */
static void breaks_ties(void **unused) {
  (void)unused;
  for (int m = 1; m < 52; m++) {
    double tie = 1 + ldexp(1, -m - 1), up = 1 + ldexp(1, -m);
    assert_true(__nabla_round(tie, 8, m) == 1);
    assert_true(__nabla_round_add(tie, 1e-200, 8, m) == up);
    assert_true(__nabla_round_add(tie, -1e-200, 8, m) == 1);
    assert_true(__nabla_round_sub(-tie, 1e-200, 8, m) == -up);
    assert_true(__nabla_round_sub(tie, 5e-324, 8, m) == 1);
  }
}

static void ends_of_the_range(void **unused) {
  (void)unused;
  assert_true(__nabla_round(65519, 5, 10) == 65504);
  assert_true(__nabla_round(65520, 5, 10) == INFINITY);
  assert_true(__nabla_round(-1e300, 8, 7) == -INFINITY);
  assert_true(__nabla_round(0x1p-24, 5, 10) == 0x1p-24);
  assert_true(__nabla_round(0x1p-25, 5, 10) == 0);
  assert_true(__nabla_round(0x1.8p-25, 5, 10) == 0x1p-24);
  assert_true(signbit(__nabla_round(-1e-300, 8, 7)));
  assert_true(__nabla_round_mul(1e-200, 1e-200, 11, 52) == 0);
  assert_true(__nabla_round_mul(0x1p-1000, 0x1.8p-74, 11, 51) == 0x1p-1073);
  assert_true(__nabla_round_div(1, 0, 5, 10) == INFINITY);
  assert_true(__nabla_round_add(INFINITY, 1, 5, 10) == INFINITY);
  assert_true(isnan(__nabla_round_sub(INFINITY, INFINITY, 5, 10)));
  assert_true(__nabla_round_add(1.7e308, 1.7e308, 11, 20) == INFINITY);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_numbers), cmocka_unit_test(computes),
                                     cmocka_unit_test(breaks_ties),
                                     cmocka_unit_test(ends_of_the_range)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

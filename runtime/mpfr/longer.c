// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "longer.h"
#include "registry.h"

#include <mpfr.h>
#include <stdbool.h>
#include <string.h>

/* The bits of a NaN that holds an address, and of an address. */
#define TAG UINT64_C(0x7ff4000000000000)
#define ADDRESS UINT64_C(0x0000ffffffffffff)
#define SIGN UINT64_C(0x8000000000000000)

typedef struct Format {
  int exponent, significand;
} Format;

/* --- Numbers as doubles ----------------------------------------------------------------------- */

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static bool is_held(double x) {
  return (bits_of(x) & ~(SIGN | ADDRESS)) == TAG && (bits_of(x) & ADDRESS) != 0;
}

/* A view of it, with its sign: nothing to be cleared. */
static void look(mpfr_t view, double x) {
  *view = *(mpfr_ptr)(uintptr_t)(bits_of(x) & ADDRESS);
  if (bits_of(x) & SIGN)
    mpfr_neg(view, view, MPFR_RNDN);
}

static double hold(const mpfr_t x) {
  mpfr_prec_t precision = mpfr_get_prec(x);
  size_t size = mpfr_custom_get_size(precision);
  mpfr_ptr number = __nabla_mpfr_take(sizeof(mpfr_t) + size);
  mpfr_custom_init(number + 1, precision);
  mpfr_custom_init_set(number, MPFR_ZERO_KIND, 0, precision, number + 1);
  mpfr_abs(number, x, MPFR_RNDN);
  uint64_t bits = TAG | (mpfr_signbit(x) ? SIGN : 0) | (uint64_t)(uintptr_t)number;
  double held;
  memcpy(&held, &bits, sizeof held);
  return held;
}

/* --- The range of a format -------------------------------------------------------------------- */

typedef struct Range {
  mpfr_exp_t least, greatest;
} Range;

static Range enter(Format format) {
  Range before = {mpfr_get_emin(), mpfr_get_emax()};
  mpfr_exp_t bias = ((mpfr_exp_t)1 << (format.exponent - 1)) - 1;
  mpfr_set_emin(2 - bias - format.significand);
  mpfr_set_emax(bias + 1);
  return before;
}

static void leave(Range before) {
  mpfr_set_emin(before.least);
  mpfr_set_emax(before.greatest);
}

/* The operand, rounded to the format; to be cleared. */
static void open(mpfr_t number, double x, Format format) {
  mpfr_t view;
  int inexact;
  __nabla_mpfr_note_thread();
  mpfr_init2(number, format.significand + 1);
  if (is_held(x)) {
    look(view, x);
    inexact = mpfr_set(number, view, MPFR_RNDN);
  } else {
    inexact = mpfr_set_d(number, x, MPFR_RNDN);
  }
  Range before = enter(format);
  inexact = mpfr_check_range(number, inexact, MPFR_RNDN);
  mpfr_subnormalize(number, inexact, MPFR_RNDN);
  leave(before);
}

/* Clears the number. */
static double deliver(mpfr_t number, int memory) {
  double nearest = mpfr_get_d(number, MPFR_RNDN);
  bool exact = !memory || mpfr_nan_p(number) || mpfr_cmp_d(number, nearest) == 0;
  double result = exact ? nearest : hold(number);
  mpfr_clear(number);
  return result;
}

double __nabla_mpfr_number(double x, int exponent, int significand, int memory) {
  mpfr_t number;
  open(number, x, (Format){exponent, significand});
  return deliver(number, memory);
}

double __nabla_mpfr_get(double x) {
  mpfr_t view;
  if (!is_held(x))
    return x;
  look(view, x);
  return mpfr_get_d(view, MPFR_RNDN);
}

float __nabla_mpfr_get_float(double x) {
  mpfr_t view;
  if (!is_held(x))
    return (float)x;
  look(view, x);
  return mpfr_get_flt(view, MPFR_RNDN);
}

/* --- Operations ------------------------------------------------------------------------------- */

typedef int Of1(mpfr_t result, const mpfr_t x, mpfr_rnd_t mode);
typedef int Of2(mpfr_t result, const mpfr_t x, const mpfr_t y, mpfr_rnd_t mode);
typedef int Of3(mpfr_t result, const mpfr_t x, const mpfr_t y, const mpfr_t z, mpfr_rnd_t mode);

/* One of the three each. */
static const struct {
  Of1 *of1;
  Of2 *of2;
  Of3 *of3;
} functions[] = {
#define NB_LONGER(name, mpfr, count) {.of##count = mpfr_##mpfr},
#include "functions.def"
};

static int apply(int function, mpfr_t result, mpfr_t *numbers) {
  if (functions[function].of1)
    return functions[function].of1(result, numbers[0], MPFR_RNDN);
  if (functions[function].of2)
    return functions[function].of2(result, numbers[0], numbers[1], MPFR_RNDN);
  return functions[function].of3(result, numbers[0], numbers[1], numbers[2], MPFR_RNDN);
}

double __nabla_mpfr_compute(double x, double y, double z, int function, int exponent,
                            int significand, int memory) {
  enum { MOST = 3 };
  const Format format = {exponent, significand};
  const double operands[MOST] = {x, y, z};
  int count = functions[function].of1 ? 1 : functions[function].of2 ? 2 : MOST;
  mpfr_t numbers[MOST], result;
  for (int i = 0; i < count; i++)
    open(numbers[i], operands[i], format);
  mpfr_init2(result, significand + 1);
  Range before = enter(format);
  int inexact = apply(function, result, numbers);
  mpfr_subnormalize(result, inexact, MPFR_RNDN);
  leave(before);
  for (int i = 0; i < count; i++)
    mpfr_clear(numbers[i]);
  return deliver(result, memory);
}

/* --- Integers and comparisons ----------------------------------------------------------------- */

static double from_integer(int64_t x, bool is_signed, Format format, int memory) {
  mpfr_t number;
  mpfr_init2(number, format.significand + 1);
  Range before = enter(format);
  int inexact = is_signed ? mpfr_set_si(number, x, MPFR_RNDN)
                          : mpfr_set_ui(number, (unsigned long)x, MPFR_RNDN);
  mpfr_subnormalize(number, inexact, MPFR_RNDN);
  leave(before);
  return deliver(number, memory);
}

double __nabla_mpfr_from_signed(int64_t x, int exponent, int significand, int memory) {
  return from_integer(x, true, (Format){exponent, significand}, memory);
}

double __nabla_mpfr_from_unsigned(uint64_t x, int exponent, int significand, int memory) {
  return from_integer((int64_t)x, false, (Format){exponent, significand}, memory);
}

int64_t __nabla_mpfr_to_signed(double x) {
  mpfr_t view;
  if (!is_held(x))
    return (int64_t)x;
  look(view, x);
  return mpfr_get_si(view, MPFR_RNDZ);
}

uint64_t __nabla_mpfr_to_unsigned(double x) {
  mpfr_t view;
  if (!is_held(x))
    return (uint64_t)x;
  look(view, x);
  return mpfr_get_ui(view, MPFR_RNDZ);
}

int __nabla_mpfr_compare(double x, double y, int exponent, int significand) {
  enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
  const Format format = {exponent, significand};
  mpfr_t left, right;
  open(left, x, format);
  open(right, y, format);
  int order = mpfr_cmp(left, right);
  int ordered = order < 0 ? LESS : order > 0 ? GREATER : EQUAL;
  int result = mpfr_nan_p(left) || mpfr_nan_p(right) ? UNORDERED : ordered;
  mpfr_clear(left);
  mpfr_clear(right);
  return result;
}

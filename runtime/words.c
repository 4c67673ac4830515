// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "words.h"

#include "tape.h"
#include "walk.h"

#include <string.h>

enum { FLOATS = __NABLA_MAY_LOWER | __NABLA_MAY_UPPER };

/* Where no float may lie, what is denormal is an address. Where some may, a small one in the lower
 * half alone may be a low address. */
static const uint64_t EXPONENT = UINT64_C(0x7ff0000000000000);
static const uint64_t BEYOND_MEMORY = UINT64_C(1) << 47;
static const uint64_t LOW_MEMORY = UINT64_C(1) << 28;
static const uint64_t BUT_SIGNS = UINT64_C(0x7fffffff7fffffff);

static inline uint64_t bits_at(const char *at) {
  uint64_t bits;
  memcpy(&bits, at, sizeof bits);
  return bits;
}

static inline uint32_t lower(uint64_t bits) { return (uint32_t)bits; }

static inline uint32_t upper(uint64_t bits) { return (uint32_t)(bits >> 32); }

static inline bool is_address(uint64_t bits, uint32_t may) {
  if (!(may & __NABLA_MAY_POINTER))
    return false;
  if (!(may & (FLOATS | __NABLA_MAY_OTHER)))
    return !(bits & EXPONENT);
  return bits < BEYOND_MEMORY && (upper(bits) || bits < LOW_MEMORY);
}

/* Must the two be doubles, where one of both kinds may be? A double has an upper half, but for a
 * denormal one. */
static inline bool are_doubles(uint64_t to, uint64_t from, uint32_t may, const char *place) {
  uint32_t lowers = lower(to) | lower(from);
  if (!(may & (FLOATS | __NABLA_MAY_OTHER)))
    return true;
  if (!(may & (__NABLA_MAY_DOUBLE | __NABLA_MAY_OTHER)))
    return false;
  if (may & __NABLA_MAY_OTHER)
    __nabla_mixed(place);
  if ((may & __NABLA_MAY_LOWER) && (!upper(to) || !upper(from)))
    return false;
  if (!(may & __NABLA_MAY_UPPER) || (!(may & __NABLA_MAY_LOWER) && lowers))
    return true;
  __nabla_mixed(place);
}

static inline void move_floats(char *to, char *from) {
  __nabla_move_adjoint_float(to, from, 2 * sizeof(float), 0, sizeof(float));
}

static inline bool is_zero(uint64_t bits) { return !(bits & BUT_SIGNS); }

static inline void move_word(char *to, char *from, uint32_t may, const char *place) {
  uint64_t bits = bits_at(to), others = bits_at(from);
  if (is_zero(bits) || is_address(bits, may)) {
    memset(to, 0, sizeof bits);
  } else if (is_zero(others)) {
    memcpy(from, to, sizeof bits);
    memset(to, 0, sizeof bits);
  } else if (are_doubles(bits, others, may, place)) {
    __nabla_move_adjoint_double(to, from, sizeof(double), 0, 0);
  } else {
    move_floats(to, from);
  }
}

/* Where the float lies that no word has room for behind the others; `bytes` where there is none. */
static inline uint64_t rest_of(uint64_t bytes, uint64_t first, uint64_t count, uint64_t period,
                               uint32_t may) {
  uint64_t end = first + count * sizeof(double);
  bool rest = period == sizeof(double) && (may & __NABLA_MAY_LOWER) && end + sizeof(float) <= bytes;
  return rest ? end : bytes;
}

/* Words that are moved by a part of one over themselves are floats, if anything that is known. */
static bool move_shifted(char *to, char *from, uint64_t bytes, uint64_t first, uint64_t period,
                         uint32_t may, const char *place) {
  uint64_t distance = (uintptr_t)to - (uintptr_t)from;
  if (distance % sizeof(double) == 0 || are_apart(to, from, bytes))
    return false;
  if (period != sizeof(double) || !(may & FLOATS) || (may & __NABLA_MAY_OTHER))
    __nabla_mixed(place);
  __nabla_move_adjoint_float(to, from, bytes, first, sizeof(float));
  return true;
}

/* Not inlined, for what is differentiated again calls the forward functions below instead. */
__attribute__((noinline)) void __nabla_move_adjoint_word(char *to, char *from, uint64_t bytes,
                                                         uint64_t first, uint64_t period,
                                                         uint32_t may, const char *place) {
  uint64_t count = element_count(bytes, first, period, sizeof(double));
  uint64_t rest = rest_of(bytes, first, count, period, may);
  if (to == from || move_shifted(to, from, bytes, first, period, may, place))
    return;
  if (!is_above(to, from))
    __nabla_move_adjoint_float(to, from, bytes, rest, 0);
  struct walk walk = {0, 0, 0};
  if (count)
    walk = adjoint_walk(to, from, count, first, period);
  for (; walk.left; walk.left--) {
    move_word(to + walk.next, from + walk.next, may, place);
    walk.next += walk.step;
  }
  if (is_above(to, from))
    __nabla_move_adjoint_float(to, from, bytes, rest, 0);
}

__attribute__((noinline)) void __nabla_zero_word(char *to, uint64_t bytes, uint64_t first,
                                                 uint64_t period, uint32_t may) {
  uint64_t count = element_count(bytes, first, period, sizeof(double));
  for (uint64_t i = 0; i < count; i++) {
    char *at = to + first + i * period;
    if (!is_address(bits_at(at), may))
      memset(at, 0, sizeof(double));
  }
  __nabla_zero_float(to, bytes, rest_of(bytes, first, count, period, may), 0);
}

__attribute__((noinline)) void __nabla_copy_pointers_word(char *to, char *from, uint64_t bytes,
                                                          uint64_t first, uint64_t period,
                                                          uint32_t may) {
  uint64_t count = element_count(bytes, first, period, sizeof(double));
  if (count == 0)
    return;
  struct walk walk = copy_walk(to, from, count, first, period);
  for (; walk.left; walk.left--) {
    uint64_t bits = bits_at(from + walk.next);
    bits = is_address(bits, may) ? bits : 0;
    memcpy(to + walk.next, &bits, sizeof bits);
    walk.next += walk.step;
  }
}

void __nabla_copy_pointers_word_forward(char *to, char *to_tangent, char *from, char *from_tangent,
                                        uint64_t bytes, uint64_t first, uint64_t period,
                                        uint32_t may) {
  if (to != to_tangent)
    __nabla_copy_pointers_word(to_tangent, from_tangent, bytes, first, period, may);
  __nabla_copy_pointers_word(to, from, bytes, first, period, may);
}

void __nabla_move_adjoint_word_forward(char *to, char *to_tangent, char *from, char *from_tangent,
                                       uint64_t bytes, uint64_t first, uint64_t period,
                                       uint32_t may, const char *place, const char *same_place) {
  (void)same_place;
  if (to != to_tangent && from != from_tangent)
    __nabla_move_adjoint_word(to_tangent, from_tangent, bytes, first, period, may, place);
  __nabla_move_adjoint_word(to, from, bytes, first, period, may, place);
}

void __nabla_zero_word_forward(char *to, char *to_tangent, uint64_t bytes, uint64_t first,
                               uint64_t period, uint32_t may) {
  if (to != to_tangent)
    __nabla_zero_word(to_tangent, bytes, first, period, may);
  __nabla_zero_word(to, bytes, first, period, may);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What can only be refused when the program runs. `place` is the user's function, quoted, and,
 * where they are known, its file and line: "'f' (f.c:7)". */
#include "words.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void __nabla_unknown_function(const char *place);
_Noreturn void __nabla_unmodelled(const char *what);
void __nabla_keep_shadow(const void *value, const void *shadow, const void *to,
                         const void *to_shadow, const char *place);
void __nabla_needs_shadow(const void *pointer, const void *shadow, const char *place);
void __nabla_keep_shadows(const char *from, const char *from_shadow, const char *to,
                          const char *to_shadow, uint64_t bytes, uint64_t first, uint64_t period,
                          const char *place);
void __nabla_integer(uint64_t bits, const char *place);
void __nabla_exchange(uint64_t first, uint64_t second, uint64_t bytes, const char *place);
void __nabla_copy_up(uint64_t to, uint64_t from, uint64_t bytes, const char *place);
void __nabla_copy_down(uint64_t to, uint64_t from, uint64_t bytes, const char *place);
void __nabla_within(uint64_t bytes, uint64_t most, const char *place);
void __nabla_whole(uint32_t read, const char *place);
void __nabla_moved(uint32_t read, const char *place);
void __nabla_over_pointer(const char *at, uint64_t bytes, const char *place);
void __nabla_moved_pointer(const char *at, uint64_t bytes, const char *place, const char *primal);
void __nabla_whole_ends_double(const char *at, uint64_t bytes, const char *place);
void __nabla_whole_ends_float(const char *at, uint64_t bytes, const char *place);

__attribute__((noinline, cold)) static _Noreturn void refuse(const char *place,
                                                             const char *reason) {
  fputs("nabla: ", stderr);
  fputs(place, stderr);
  fputs(reason, stderr);
  abort();
}

/* A call through a pointer that holds no function known at compile time. */
__attribute__((noinline, cold)) void __nabla_unknown_function(const char *place) {
  refuse(place, " calls a function through a pointer that was not known when its derivative "
                "was made\n");
}

__attribute__((noinline, cold)) _Noreturn void __nabla_mixed(const char *place) {
  refuse(place, " copies numbers with a derivative, and it is not known whether as doubles or as "
                "shorter ones: copy the member that is there\n");
}

__attribute__((noinline, cold)) static _Noreturn void refuse_overlap(const char *place) {
  refuse(place, " moves bytes one by one between objects that overlap\n");
}

/* Loops over bytes that do something else than to move what lay there before them: they exchange
 * two objects that overlap, or copy upwards to what lies behind, or downwards to what lies before.
 */
void __nabla_exchange(uint64_t first, uint64_t second, uint64_t bytes, const char *place) {
  uint64_t distance = first < second ? second - first : first - second;
  if (distance && distance < bytes)
    refuse_overlap(place);
}

void __nabla_copy_up(uint64_t to, uint64_t from, uint64_t bytes, const char *place) {
  if (to > from && to - from < bytes)
    refuse_overlap(place);
}

void __nabla_copy_down(uint64_t to, uint64_t from, uint64_t bytes, const char *place) {
  if (to < from && from - to < bytes)
    refuse_overlap(place);
}

/* A copy goes on behind the array in a struct that it begins in, to what is of another type. */
void __nabla_within(uint64_t bytes, uint64_t most, const char *place) {
  if (bytes > most)
    refuse(place, " copies more than the array in a struct has, and on into the next member: copy "
                  "the members one by one, or the struct as a whole\n");
}

/* A model of a library's function says nothing about arguments like these. */
__attribute__((noinline, cold)) void __nabla_unmodelled(const char *what) {
  fputs("nabla: '", stderr);
  fputs(what, stderr);
  fputs("' is not supported within a function that is differentiated\n", stderr);
  abort();
}

/* Memory without a shadow, which is its own, cannot keep the shadow of a pointer. */
void __nabla_keep_shadow(const void *value, const void *shadow, const void *to,
                         const void *to_shadow, const char *place) {
  if (to == to_shadow && value != shadow)
    refuse(place, " keeps a pointer to memory with a derivative in memory that is constant: "
                  "give that memory a shadow\n");
}

/* A derivative of the user's uses the shadow of memory that has none, which is its own. */
void __nabla_needs_shadow(const void *pointer, const void *shadow, const char *place) {
  if (pointer && pointer == shadow)
    refuse(place, " is registered as a derivative, and is given memory that is constant: give "
                  "that memory a shadow\n");
}

/* As keep_shadow, of the pointers that a copy of so many bytes moves: one at `first`, and again
 * every `period` bytes (0: once). */
void __nabla_keep_shadows(const char *from, const char *from_shadow, const char *to,
                          const char *to_shadow, uint64_t bytes, uint64_t first, uint64_t period,
                          const char *place) {
  uint64_t step = period ? period : bytes;
  if (to != to_shadow || from == from_shadow)
    return;
  for (uint64_t at = first; at + sizeof(void *) <= bytes; at += step) {
    const void *value, *shadow;
    memcpy(&value, from + at, sizeof value);
    memcpy(&shadow, from_shadow + at, sizeof shadow);
    __nabla_keep_shadow(value, shadow, to, to_shadow, place);
  }
}

/* A part of a number was overwritten; `read`: it has an adjoint, so that it was read afterwards. */
void __nabla_whole(uint32_t read, const char *place) {
  if (read)
    refuse(place, " overwrites a part of a number whose derivative is asked for: write whole "
                  "numbers\n");
}

/* What was moved as a pointer was a number; `read`: it has an adjoint, so that it was read as one.
 */
void __nabla_moved(uint32_t read, const char *place) {
  if (read)
    refuse(place, " moves a number whose derivative is asked for as a pointer: move it as a "
                  "number\n");
}

/* A float or a double. */
static double number_at(const char *at, uint64_t size) {
  double wide;
  float narrow;
  if (size == sizeof wide) {
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
  memcpy(&narrow, at, sizeof narrow);
  return narrow;
}

/* The same of the numbers that the ends of the bytes lie in: those at multiples of their size. */
static void whole_ends(const char *at, uint64_t bytes, uint64_t size, const char *place) {
  uint64_t before = (uintptr_t)at % size;
  uint64_t over = ((uintptr_t)at + bytes) % size;
  double first = bytes && before ? number_at(at - before, size) : 0;
  double last = bytes && over ? number_at(at + bytes - over, size) : 0;
  __nabla_whole(first != 0 || last != 0, place);
}

void __nabla_whole_ends_double(const char *at, uint64_t bytes, const char *place) {
  whole_ends(at, bytes, sizeof(double), place);
}

void __nabla_whole_ends_float(const char *at, uint64_t bytes, const char *place) {
  whole_ends(at, bytes, sizeof(float), place);
}

/* An integer is computed with; are its bits a number's? */
void __nabla_integer(uint64_t bits, const char *place) {
  if (bits)
    refuse(place, " computes with the bits of a number with a derivative as an integer: use "
                  "fabs, copysign, ldexp, frexp, and move whole numbers, with memcpy\n");
}

/* Is an address among the bytes, of which the upper 16 of 64 bits are 0, and not all of the rest?
 * As a number, or two, it would be a denormal one. */
static bool has_address(const char *at, uint64_t bytes) {
  uint64_t first = (sizeof(uint64_t) - (uintptr_t)at % sizeof(uint64_t)) % sizeof(uint64_t);
  uint64_t half = first < sizeof(uint32_t) ? first + sizeof(uint32_t) : first - sizeof(uint32_t);
  uint32_t upper = 0;
  bool found = false;
  for (; half + sizeof upper <= bytes; half += sizeof(uint64_t)) {
    memcpy(&upper, at + half, sizeof upper);
    found |= upper && upper <= UINT16_MAX;
  }
  return found;
}

/* A number is stored where, in its shadow, an address is. */
void __nabla_over_pointer(const char *at, uint64_t bytes, const char *place) {
  if (has_address(at, bytes))
    refuse(place, " stores numbers with a derivative where pointers were, in memory of its "
                  "caller's: keep them apart in reverse mode\n");
}

/* The same of the eight bytes around a shorter number. */
static bool has_address_around(const char *at, uint64_t bytes) {
  uint64_t before = (uintptr_t)at % sizeof(uint64_t);
  return has_address(at - before, bytes < sizeof(uint64_t) ? sizeof(uint64_t) : bytes);
}

/* What is moved as a number, or the rest of the eight bytes around it, is a pointer, by its shadow
 * and by itself: a tangent alone may be a denormal number. */
void __nabla_moved_pointer(const char *at, uint64_t bytes, const char *place, const char *primal) {
  if (has_address_around(at, bytes) && has_address_around(primal, bytes))
    refuse(place, " moves a pointer as a number: move it as a pointer, or with memcpy\n");
}

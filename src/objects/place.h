// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where in an object a pointer may point: a set of byte offsets
 *
 *     { base + j * inner + k * period : 0 <= j < count, k any integer },   within [low, high].
 *
 * A constant offset has count 1 and period 0. `count` comes from the extents of arrays in types, of
 * which C promises that an index stays inside; what is not known to stay inside is a period. A set
 * is loose where it has offsets that follow from its form alone: 24 i + 56 j is { k * 8 }. */
#ifndef NABLA_OBJECTS_PLACE_H
#define NABLA_OBJECTS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct NbOffsets {
  int64_t base;
  uint64_t inner, count, period;
  int64_t low, high; /* INT64_MIN and INT64_MAX: no bound */
  bool loose;
} NbOffsets;

/* Greatest common divisor; of 0 and n it is n. */
uint64_t nb_gcd(uint64_t a, uint64_t b);

NbOffsets nb_place_at(int64_t offset);
/* Any offset. */
NbOffsets nb_place_anywhere(void);
bool nb_place_equal(const NbOffsets *a, const NbOffsets *b);
/* Is it one offset? */
bool nb_place_is_exact(const NbOffsets *place);
/* The greatest number of which all differences of two offsets are multiples; 0 for one offset. */
uint64_t nb_place_step(const NbOffsets *place);

NbOffsets nb_place_shift(NbOffsets place, int64_t offset);
/* Adds any multiple of `stride`; `upwards` where it is not negative. */
NbOffsets nb_place_stride(NbOffsets place, uint64_t stride, bool upwards);
/* Adds one of `count` multiples of `stride`, from 0. */
NbOffsets nb_place_index(NbOffsets place, uint64_t stride, uint64_t count);
/* The offsets of one index of the inner array. */
NbOffsets nb_place_element(const NbOffsets *place, uint64_t index);
/* All sums of an offset of each. */
NbOffsets nb_place_add(NbOffsets a, NbOffsets b);
/* A place that holds both, with the base of `a`; bounds are widened where `a` is no single offset,
 * so that chains of joins are short. */
NbOffsets nb_place_join(NbOffsets a, NbOffsets b);
/* Is each offset of `part` one of `whole`, whatever their bounds? False where that is not seen. */
bool nb_place_holds(const NbOffsets *whole, const NbOffsets *part);
/* Those offsets of the place that are multiples of `align`, a power of 2, where the place itself
 * says less than that of them. */
NbOffsets nb_place_aligned(NbOffsets place, uint64_t align);
/* The offsets of `place`, seen from one of `origin`. */
NbOffsets nb_place_relative(NbOffsets place, const NbOffsets *origin);

/* May one of `a_size` bytes at an offset of `a` be one of the `b_size` bytes at an offset of `b`?
 */
bool nb_place_meets(const NbOffsets *a, uint64_t a_size, const NbOffsets *b, uint64_t b_size);

/* Do all elements of `size` bytes at `a` end before the first of `b` begins? */
bool nb_place_ends_before(const NbOffsets *a, uint64_t size, const NbOffsets *b);
/* Are the offsets of `single`, which repeat no period, none of the first of `places`, which repeat
 * one and of which nothing says how far they go? They may be of a struct that begins before or ends
 * behind them. */
bool nb_place_strays(const NbOffsets *single, const NbOffsets *places);

/* The position of byte `offset` in the element of `size` bytes at the place, -1 where the byte lies
 * in no element. */
int64_t nb_place_inside(const NbOffsets *place, uint64_t size, int64_t offset);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where in an object a pointer may point: a set of byte offsets
 *
 *     { base + j * inner + k * period : 0 <= j < count, k any integer },   within [low, high].
 *
 * A constant offset has count 1 and period 0. `count` comes from the extents of arrays in types, of
 * which C promises that an index stays inside; what is not known to stay inside is a period. */
#ifndef NABLA_TYPES_PLACE_H
#define NABLA_TYPES_PLACE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct NbPlace {
  int64_t base;
  uint64_t inner, count, period;
  int64_t low, high; /* INT64_MIN and INT64_MAX: no bound */
} NbPlace;

/* Greatest common divisor; of 0 and n it is n. */
uint64_t nb_gcd(uint64_t a, uint64_t b);

NbPlace nb_place_at(int64_t offset);
/* Any offset. */
NbPlace nb_place_anywhere(void);
bool nb_place_equal(const NbPlace *a, const NbPlace *b);
/* Is it one offset? */
bool nb_place_is_exact(const NbPlace *place);
/* The greatest number of which all differences of two offsets are multiples; 0 for one offset. */
uint64_t nb_place_step(const NbPlace *place);

NbPlace nb_place_shift(NbPlace place, int64_t offset);
/* Adds any multiple of `stride`; `upwards` where it is not negative. */
NbPlace nb_place_stride(NbPlace place, uint64_t stride, bool upwards);
/* Adds one of `count` multiples of `stride`, from 0. */
NbPlace nb_place_index(NbPlace place, uint64_t stride, uint64_t count);
/* All sums of an offset of each. */
NbPlace nb_place_add(NbPlace a, NbPlace b);
/* A place that holds both, with the base of `a`; bounds are widened, so that chains of joins are
 * short. */
NbPlace nb_place_join(NbPlace a, NbPlace b);
/* The offsets of `place`, seen from one of `origin`. */
NbPlace nb_place_relative(NbPlace place, const NbPlace *origin);

/* The position of byte `offset` in the element of `size` bytes at the place, -1 where the byte lies
 * in no element. */
int64_t nb_place_inside(const NbPlace *place, uint64_t size, int64_t offset);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the facts of a class say, as seen from a pointer, of each byte of a region. Internal to the
 * stage. */
#ifndef NABLA_TYPES_QUERY_H
#define NABLA_TYPES_QUERY_H

#include "types/facts.h"

enum { NB_QUERY_LARGEST = 1 << 16, NB_LARGEST_PERIOD = 4096 };

typedef struct NbSeen {
  NbFact fact;   /* its place is relative to the pointer */
  bool definite; /* holds wherever the pointer points, not only sometimes */
  bool before;   /* of what lies before or behind the region alone */
  bool own;      /* from accesses to a field that lies just where the region does */
  bool some;     /* from accesses to some of the places where that field is */
} NbSeen;

/* What a byte of the region is. */
typedef struct NbByte {
  NbKind kind;
  LLVMTypeRef type;
  uint64_t left;   /* bytes of the element from here on */
  uint64_t inside; /* and before */
  bool start;      /* of the element */
} NbByte;

typedef struct NbTold {
  const NbSeen *seen;
  NbByte byte;
} NbTold;

/* What the facts at one spot say of the byte at an offset: those that say anything. */
typedef struct NbTolds {
  NbTold *items;
  unsigned count, capacity;
  uint64_t offset;
  bool known;
} NbTolds;

/* One spot of the places where the pointer may point: those that differ by multiples of a period.
 */
typedef struct NbSpot {
  NbArena *arena;
  NbSeen *items;
  unsigned count, capacity;
  NbTolds **told;  /* what was asked last: NULL there before anything was */
  uint64_t extent; /* of the object from here on; 0: not known */
  uint64_t shared; /* the greatest rank of struct's members where arrays of floats start */
} NbSpot;

typedef struct NbQuery {
  NbTypes *types;
  NbSpot *spots;
  unsigned count;
  int64_t base;  /* for alignment */
  bool external; /* bytes without a fact may be accessed elsewhere */
  bool others;   /* something else than pointers may have been put there, or not be seen */
  bool lost;     /* there were too many facts: those left may be the wrong ones */
  bool blind;    /* integers were accessed that may carry anything */
  bool mixed;    /* facts may be of another object than the pointer's: none outranks another */
  bool shared;   /* memory that exists before or after the function */
  bool copied;   /* bytes that are copied */
  bool open;     /* it is not known where some object ends */
  bool within;   /* from one place in a memory to another */
  bool repeats;  /* what is said of the first bytes is said of others, a period apart */
} NbQuery;

/* Has an access found a float of another format among the bytes of the float there? */
bool nb_query_overlaps(const NbQuery *query, NbByte byte, uint64_t offset);
/* Adds what is known at `pointer` to the query, one spot for each index of an inner array. */
void nb_query_look(NbQuery *query, NbTypes *types, LLVMValueRef pointer, uint64_t size,
                   uint64_t align);
/* What is said of the byte at the spot; good until one is asked for that is 32 bytes away, or a
 * multiple of that. */
const NbTolds *nb_spot_told(const NbSpot *spot, uint64_t offset);
/* The same of the byte `before` that at the offset; good until the next call of this. */
const NbTolds *nb_spot_told_before(const NbSpot *spot, uint64_t offset, uint64_t before);
/* Finds of each spot where arrays of floats start among the members of structs. */
void nb_query_find_shared(NbQuery *query);
/* What the byte at the offset is: every spot must say the same, of what lies within the object. */
NbByte nb_query_classify(const NbQuery *query, uint64_t offset);
/* Do some accesses or declarations say that it is a float, and others that it is none? */
bool nb_query_is_contested(const NbQuery *query, uint64_t offset);
/* Does no access tell of the byte, unless its index leads out of its array? */
bool nb_query_is_untouched(const NbQuery *query, uint64_t offset);
/* Has an integer been moved there that may be a piece of a float, whatever is declared? */
bool nb_query_is_piece(const NbFact *fact);

/* --- repeats.c: arrays. --- */

/* An element of an array that all others are like, as far as anything is told of them. */
typedef struct NbElement {
  uint64_t offset, size;
} NbElement;

/* The least common multiple of the periods of all facts; 0 where there is none or it is large. */
uint64_t nb_query_period(const NbQuery *query);
/* Finds the element where the region of `size` bytes, a multiple of `factor` where that is not
 * known, is a whole number of such; false where it is none, or more is to be asked than is worth
 * it. */
bool nb_query_find_element(const NbQuery *query, uint64_t factor, uint64_t size,
                           NbElement *element);

#endif

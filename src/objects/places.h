// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where in its object each pointer of a graph points. */
#ifndef NABLA_OBJECTS_PLACES_H
#define NABLA_OBJECTS_PLACES_H

#include "objects/graph.h"
#include "objects/place.h"

/* What the pointers lead to whose places they are. */
typedef enum {
  NB_PLACES_ALL,
  NB_PLACES_MEMBER,  /* one local variable, parameter, or call that allocates */
  NB_PLACES_FOUND,   /* what is none of these: globals, and what pointers in memory lead to */
  NB_PLACES_OUTSIDE, /* that, and parameters */
  NB_PLACES_KINDS
} NbPlacesKind;

struct NbPlaces {
  NbPlacesKind kind;
  LLVMValueRef member; /* of NB_PLACES_MEMBER */
  NbPlaces *whole;     /* NB_PLACES_ALL of the same objects; itself NULL there */
  NbMap *members;      /* of these: NbPlaces by member; NULL until asked for */
  NbPlaces *kinds[NB_PLACES_KINDS];
  NbMap *found; /* as shifts, of what the callee finds in memory alone; of NB_PLACES_ALL by the
                 * calls at which the callee sees several places as one */
  NbObjects *objects;
  NbArena *arena;
  NbMap *values;   /* NbOffsets, of values that are or carry pointers */
  NbMap *contents; /* NbOffsets, of the pointers in memory: see contents.c */
  NbMap *returns;  /* NbOffsets, by function of the group */
  NbMap *shifts;   /* by call: a map from the callee's classes to NbOffsets */
  bool
      puts; /* while solved: nothing is said yet of what is found where the function puts nothing */
  bool guess;   /* what is found in memory is taken to point to the start of its object */
  bool flat;    /* an index may lead beyond the array that it is into */
  bool extents; /* some index is into an array of known extent */
  bool notes;   /* some access has a note of its place */
  bool changed;
  bool lost;     /* the budget is spent: nothing is known about any pointer */
  NbArena *open; /* while members are open */
  NbMap *visits; /* then: lists of instructions, by class */
};

/* To a fixed point over the functions of the graph. `guess`: as if all pointers in memory pointed
 * to the start of an object. `flat`: C promises that an index into an array in a struct stays
 * inside, and programs that walk on into the next member break that promise; flat places hold for
 * these too, others only say what is meant. */
NbPlaces *nb_places_solve(NbObjects *objects, NbArena *arena, bool guess, bool flat);
/* The places that pointers have in one member of their class alone, or in a kind of them, and no
 * place where they do not point into it: by inclusion, as Andersen's analysis has it, over classes
 * that are known. `whole` is solved. */
NbPlaces *nb_places_of_member(NbPlaces *whole, NbPlacesKind kind, LLVMValueRef member);
/* Is the value a local variable or a call that allocates? */
bool nb_places_is_member(const NbPlaces *places, LLVMValueRef value);
/* May the pointer point into what the places are of? Null does not. */
bool nb_places_reaches(const NbPlaces *places, LLVMValueRef pointer);
/* The same of the callee's class at a call. */
bool nb_places_reaches_bound(const NbPlaces *places, LLVMValueRef call, NbClass *theirs);
/* Where in what the places are of the callee's member of `theirs` is at the call; false where it is
 * another. */
bool nb_places_of_given(const NbPlaces *places, LLVMValueRef call, NbClass *theirs,
                        const NbPlaces *member, NbOffsets *shift);
/* Widens the places of `guide` so that they hold those of `found`; false where they did. */
bool nb_places_widen(NbPlaces *guide, const NbPlaces *found);
/* The place of a pointer in its class. */
NbOffsets nb_places_of(const NbPlaces *places, LLVMValueRef pointer);
/* Where a pointer that an index leads to would point if nothing were known of how far the index
 * goes; false, with nothing said, for other pointers. */
bool nb_places_unbounded(const NbPlaces *places, LLVMValueRef pointer, NbOffsets *place);
/* Where the first two elements lie of the array that the pointer leads into, if the array's is the
 * smallest of the strides in the address: those of `p + 8 n + 4 i` at { 0, 4 } + 8 k. False, with
 * nothing said, where no index is known. */
bool nb_places_start(const NbPlaces *places, LLVMValueRef pointer, NbOffsets *start);
/* The size that every unknown index in the address counts: that of what the program has an array
 * of. 0 where there is no such index, or others may be there; 1 where they count several. */
uint64_t nb_places_unit(const NbPlaces *places, LLVMValueRef pointer);
/* Has the access a note of its place? */
bool nb_places_has_note(LLVMValueRef instruction);
/* Where the accesses through a pointer reach: several places, if arrays in arrays are noted. */
enum { NB_MOST_SPREAD = 32 };
typedef struct NbSpread {
  NbOffsets items[NB_MOST_SPREAD];
  unsigned count;
  bool noted; /* else it is the pointer's own place */
} NbSpread;

NbSpread nb_places_spread(const NbPlaces *places, LLVMValueRef pointer);
/* Where these are one place, that; else the pointer's own place. What is known of types speaks of
 * the noted places, and is to be asked for there. */
NbOffsets nb_places_noted(const NbPlaces *places, LLVMValueRef pointer);
/* A number of which the distance of two pointers is a multiple, as C has it: they point into one
 * object. 0 where they point to one place of it. */
uint64_t nb_places_distance(const NbPlaces *places, LLVMValueRef a, LLVMValueRef b);
/* The place of the origin of the callee's class in the caller's class that is bound to it. */
NbOffsets nb_places_of_bound(const NbPlaces *places, LLVMValueRef call, NbClass *theirs);
/* Where the pointers in the field of memory of `class` lead to. */
NbOffsets nb_places_of_content(const NbPlaces *places, NbClass *class, const NbField *field);
/* Widens what the map, one of those of `places`, says of the key. */
void nb_places_merge(NbPlaces *places, NbMap *map, const void *key, NbOffsets place);

/* Where the value points in what the places are of; false where it does not point there, or nothing
 * is known yet. */
bool nb_places_known(const NbPlaces *places, LLVMValueRef value, NbOffsets *place);

/* Are they of what the value points to, a local variable or a call that allocates? */
static inline bool nb_places_covers(const NbPlaces *places, LLVMValueRef value) {
  return places->kind == NB_PLACES_ALL || places->member == value;
}

/* Are they of globals, and of what pointers in memory lead to? */
static inline bool nb_places_covers_found(const NbPlaces *places) {
  return places->kind != NB_PLACES_MEMBER;
}

/* Is the value one that is or carries pointers? */
static inline bool nb_places_has(const NbPlaces *places, LLVMValueRef value) {
  return nb_map_has(places->objects->values, value);
}

/* --- bound.c --- */
/* The map of the call among those by calls, made where there was none. */
NbMap *nb_places_map_of(const NbPlaces *places, NbMap *maps, LLVMValueRef call);
void nb_places_visit_bound(NbPlaces *places, LLVMValueRef call, NbBinding *binding);

/* --- visits.c --- */
/* Between the two, while no instruction may change, the places of members are found faster. */
void nb_places_open_members(NbPlaces *whole);
void nb_places_close_members(NbPlaces *whole);
/* The instructions that may say something of the places, in order. */
NbList nb_places_visited(const NbPlaces *places, NbArena *arena);
bool nb_places_any_note(const NbObjects *objects);

/* --- integers.c: small facts about integers that index memory. --- */

/* A number of which the integer is a multiple; 0 for zero. Until the places are solved, of what is
 * known of them so far. */
uint64_t nb_integer_factor(const NbPlaces *places, LLVMValueRef value);
/* Is the integer, seen as signed, provably not negative? */
bool nb_integer_is_natural(const NbPlaces *places, LLVMValueRef value);
/* Bounds of an index of a working copy, both included; false where they are too far apart to tell
 * the elements of an array. */
bool nb_integer_range(const NbPlaces *places, LLVMValueRef value, int64_t *low, int64_t *high);
/* The same where it is chosen from constants. */
bool nb_integer_is_chosen(LLVMValueRef value, int64_t *low, int64_t *high);
/* The least value that the index, which is positive, may have; 0 where it is not known to be. */
int64_t nb_integer_least(const NbPlaces *places, LLVMValueRef value);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What each byte of memory holds. Facts come from loads and stores of floats, pointers and
 * integers, TBAA, constants and callees' summaries; never from the types of geps. */
#ifndef NABLA_TYPES_H
#define NABLA_TYPES_H

#include "objects/objects.h"

typedef enum {
  NB_KIND_UNKNOWN,
  NB_KIND_INTEGER,
  NB_KIND_POINTER,
  NB_KIND_FLOAT,    /* `type` says which */
  NB_KIND_CONFLICT, /* used as two kinds: reading it as either would be a guess */
  /* Of what is copied alone: the run tells what it is, by its shadow. */
  NB_KIND_WORD
} NbKind;

/* One piece of a region of memory: `size` bytes at `offset` from its start, again every `period`
 * bytes (0: once). A float takes as many as an element of an array. Pieces do not overlap; bytes in
 * no piece are padding: never accessed. */
typedef struct NbPiece {
  uint64_t offset, size, period;
  NbKind kind;
  LLVMTypeRef type; /* the format, where kind is NB_KIND_FLOAT */
  uint32_t may;     /* where kind is NB_KIND_WORD (runtime/words.h) */
} NbPiece;

typedef struct NbLayout {
  const NbPiece *pieces;
  unsigned count;
  bool unknown; /* some bytes could not be classified */
} NbLayout;

/* Does a pointer lie there, or may one? */
bool nb_piece_may_be_pointer(const NbPiece *piece);
/* Is it known of each byte what it is? */
bool nb_layout_is_known(const NbLayout *layout);

typedef struct NbTypes NbTypes;

NbTypes *nb_types_of(NbContext *context, NbObjects *objects, LLVMValueRef function);
/* The layout of the `size` bytes at `pointer` (NB_UNKNOWN_SIZE: any number of them). */
NbLayout nb_types_layout(NbTypes *types, LLVMValueRef pointer, uint64_t size);
/* The same for a memory transfer: facts of both its ends together. Its size is a multiple of the
 * periods of the pieces. */
NbLayout nb_types_transfer(NbTypes *types, LLVMValueRef call);
/* Does the pointer lead to integers alone, and pass some of them on, as wide as numbers, as if they
 * were no more than bytes? Then they may be numbers that the code calls by another type. Pointers
 * have shadows of their own to move. */
bool nb_types_hides_numbers(NbTypes *types, LLVMValueRef pointer);
/* Does all code hold what lies in the pointer's memory, wherever in it, for integers? */
bool nb_types_holds_integers_alone(NbTypes *types, LLVMValueRef pointer);
/* Is the copy one of what is left of something of which a part was overwritten? Its bytes are no
 * number any more. */
bool nb_types_is_rest(LLVMValueRef copy);
/* Do accesses say of some of the `size` bytes at `pointer` what they hold, and not where it is? It
 * is somewhere among them, and others are at the rest. Floats are told by any place, if the
 * pointer's is known. */
bool nb_types_strays(NbTypes *types, LLVMValueRef pointer, uint64_t size);
/* Does it lead to a multiple of eight bytes? */
bool nb_types_begins_word(NbTypes *types, LLVMValueRef pointer);
/* Does nobody know where the pointer leads within memory of which accesses say that it holds
 * floats?
 */
bool nb_types_is_astray(NbTypes *types, LLVMValueRef pointer);
/* May some of the `size` bytes at `pointer` hold a float? False only where it is proved that all
 * hold integers or pointers. */
bool nb_types_may_be_float(NbTypes *types, LLVMValueRef pointer, uint64_t size);
/* Do accesses say that some of the `size` bytes at `pointer` hold `kind`, whatever others say of
 * them? With `certain`, only accesses of one object at the very place count, not those that an
 * index might carry there. */
bool nb_types_also_hold(NbTypes *types, LLVMValueRef pointer, uint64_t size, NbKind kind,
                        bool certain);
/* Do accesses say that there are floats at another time where the layout of the bytes at `pointer`
 * has integers, or floats of fewer bytes? With `within`, accesses that only an index might carry
 * there do not count. */
bool nb_types_hides_floats(NbTypes *types, LLVMValueRef pointer, const NbLayout *layout,
                           bool within);
/* The layout of what a copy moves, where memory holds different things at different times. `own`:
 * of where it goes to and where it comes from, does nobody else access it? The shadow of an integer
 * is zero there, and what is overwritten may be cleared. */
NbLayout nb_types_either(NbTypes *types, LLVMValueRef copy, NbLayout layout, const bool own[2]);
/* The same of so many bytes as the run tells: what a string is written over, or is moved elsewhere
 * as a block grows. */
NbLayout nb_types_either_at(NbTypes *types, LLVMValueRef to, NbLayout layout, bool own);
/* All of the `extent` bytes but the layout's pointers, as floats: what is to be cleared where
 * nobody knows what lay there. */
NbLayout nb_layout_between_pointers(const NbContext *context, const NbLayout *layout,
                                    LLVMValueRef extent);
/* As `nb_types_also_hold`, of accesses at the very place of whatever object of the class. */
bool nb_types_holds(NbTypes *types, LLVMValueRef pointer, uint64_t size, NbKind kind);
/* Do accesses say of some byte of the class that it holds a pointer, and others a float? Where the
 * class is of several objects, each may hold one of them. */
bool nb_types_is_reused(NbTypes *types, NbClass *class);
/* Is the integer only moved, where an access without a tag has found a float at this very place? As
 * members of structs programs also move numbers that were copied over these. */
bool nb_types_moves_untagged(NbTypes *types, LLVMValueRef value, LLVMValueRef pointer,
                             uint64_t size);
/* May an index that stays in its array lead to what is of the kind in some of the `size` bytes? */
bool nb_types_overlays(NbTypes *types, LLVMValueRef pointer, uint64_t size, NbKind kind);
/* And to a pointer and a float of the class? */
bool nb_types_is_overlaid(NbTypes *types, NbClass *class);
/* A number that an edge of a write lies in. */
typedef struct NbCut {
  LLVMTypeRef type; /* its format; NULL: there is none, or nothing is known of it */
  int64_t offset;   /* where it begins, seen from the pointer, if it is */
  bool certain;     /* there always */
  bool alone;       /* no integer lies there at any time */
} NbCut;
/* What may lie around the edge `edge` bytes, and any multiple of `step` more, behind the pointer.
 */
NbCut nb_types_cut(NbTypes *types, LLVMValueRef pointer, uint64_t edge, uint64_t step);
/* A number of which the integer is a multiple. */
uint64_t nb_types_factor(NbTypes *types, LLVMValueRef value);
/* Rewrites integer loads, stores, phis and selects that only carry floats into float ones, so that
 * what remains as an integer is one. Returns true where it changed the function: the analyses of it
 * are then to be made again. Adds to `hidden` calls in which is written what copies move, of which
 * nothing else tells what it is. */
bool nb_types_rewrite_carriers(NbContext *context, LLVMValueRef function, NbList *hidden);
/* The same of what is only moved, once no call is inlined any more: it may be an integer or a
 * float. */
bool nb_types_rewrite_moves(NbContext *context, LLVMValueRef function);
/* Pointers by no name, which are only moved where numbers lie, too, become copies of bytes. */
bool nb_types_copy_unnamed(NbContext *context, LLVMValueRef function);
/* The part of it that takes apart the integers in which floats travel beside something else; true
 * where there were any. `mixed`: only those of which one half is seen to be a float, and a half to
 * be computed with as a number. */
/* overwrites.c: the float whose end the call, a function of the runtime's, makes another, and how
 * many bits that is; NULL where it is no such call. */
LLVMValueRef nb_overwrite_source(LLVMValueRef value, unsigned *count);

bool nb_types_split_lanes(NbContext *context, LLVMValueRef function, bool mixed);
/* The number that a row calls `type`, where its function is found in `format`. */
LLVMTypeRef nb_types_of_row(LLVMContextRef llvm, NbType type, NbFormat format);
/* Do accesses say that numbers lie where a function writes integers by its row? */
bool nb_types_misses_integers(NbTypes *types, LLVMValueRef pointer, const NbEffect *effect);
/* Do all accesses agree that a number of this type lies there, or a vector of them? */
bool nb_types_holds_number(NbTypes *types, LLVMValueRef pointer, LLVMTypeRef type);
void nb_types_print(NbTypes *types);

/* passed.c: what the code around a user's call says of the memory behind the `arguments` of the
 * function; NULL where the function does not need that. */
typedef struct NbPassed NbPassed;
const NbPassed *nb_types_passed(NbContext *context, LLVMValueRef function, LLVMValueRef call,
                                const NbList *arguments);
/* As text, the same where the same is said. */
const char *nb_passed_text(const NbPassed *passed);
/* handed.c: the same of the call of a function with a body in a working copy, which the types are
 * about. `cycle`: that function leads back to the one that is worked on. */
const NbPassed *nb_types_handed(NbTypes *types, LLVMValueRef call, bool cycle);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Shared by the files of linearisation only. */
#ifndef NABLA_LINEAR_BUILD_H
#define NABLA_LINEAR_BUILD_H

#include "emit/runtime.h"
#include "linear/linear.h"

/* Appends a statement for `origin` to its block. */
NbStatement *nb_statement_new(NbLinear *linear, NbStatementKind kind, LLVMValueRef origin);

/* Is the memory behind the pointer one that has a shadow? Is its float content active? */
bool nb_linear_has_shadow(const NbLinear *linear, LLVMValueRef pointer);
bool nb_linear_memory_active(const NbLinear *linear, LLVMValueRef pointer);

/* What one access needs to know of its pointer, in one direction. */
typedef struct NbAccess {
  LLVMValueRef inst, pointer;
  unsigned lane;
} NbAccess;

/* Is the allocation freed by this function, by its own pointer, before it ends or allocates there
 * again? */
bool nb_linear_is_freed(const NbLinear *linear, LLVMValueRef allocation);

/* Says that `bytes` bytes at the pointer are overwritten, maybe a part of a number at their ends.
 * True where they all lie in one whose adjoint is seen to be zero: then nothing is to be cleared,
 * and what is no number is not written over one, which would have no tangent then. */
bool nb_linear_add_parts(NbLinear *linear, NbAccess access, LLVMValueRef bytes);
/* What is overwritten at the pointer has no tangent any more, whatever it was: clears all that is
 * no pointer where floats lie at another time in what the layout has for something else. */
void nb_linear_clear_hidden(NbLinear *linear, NbStatement *fill, LLVMValueRef pointer);

/* --- guard.c: pointers whose memory may have no shadow, which is then the pointer itself. --- */

/* What stands in for the shadow where there is none: memory of the function's own. */
typedef enum NbStandin {
  NB_STANDIN_LOAD,   /* forward mode only reads it, as zeros; reverse mode only adds to it */
  NB_STANDIN_STORE,  /* forward mode only writes it; reverse mode reads zeros and writes them */
  NB_STANDIN_POINTER /* takes pointers, and is never read */
} NbStandin;

/* An i1: has it one? Written behind the pointer that `pointer` was computed from. */
LLVMValueRef nb_linear_guard(NbLinear *linear, LLVMValueRef pointer, unsigned lane);
/* Where an access of a value of `type` goes: the shadow of the pointer, or what stands in for it.
 */
LLVMValueRef nb_linear_address(NbLinear *linear, NbAccess access, LLVMTypeRef type,
                               NbStandin standin);
/* The same by lane, in the arena; NULL where there is no shadow. */
LLVMValueRef *nb_linear_addresses(NbLinear *linear, LLVMValueRef inst, LLVMValueRef pointer,
                                  LLVMTypeRef type, NbStandin standin);
/* `bytes` where the memory behind the pointer has a shadow (`with`), or has none; else 0. */
LLVMValueRef nb_linear_extent(NbLinear *linear, NbAccess access, bool with, LLVMValueRef bytes);
/* Code that ends the program where the value, a pointer (or a vector of them) with a shadow that is
 * not the pointer, is stored through `pointer` into memory that has none. */
void nb_linear_keep_shadow(NbLinear *linear, NbAccess access, LLVMValueRef value);
/* The alignment of an access of the type in a shadow, or in a stand-in: that of its elements, at
 * most. What the program found out about an address (by peeling a loop) holds for the primal's. */
unsigned nb_linear_alignment(const NbLinear *linear, LLVMTypeRef type, unsigned align);

/* The shadow program's part of an instruction with a pointer result. False where it is refused. */
bool nb_shadow_instruction(NbLinear *linear, LLVMValueRef inst);
/* Gives the shadow phis their incoming values. */
bool nb_shadow_finish(NbLinear *linear);

/* --- reuse.c: memory that holds pointers at one time and numbers at another. --- */

/* What a store of a pointer or of a number does besides, where it takes the place of the other.
 * False where it is refused. */
bool nb_linear_reuse_for_pointer(NbLinear *linear, LLVMValueRef store);
/* False where a copy is refused that may move numbers as pointers. */
bool nb_linear_reuse_for_copy(const NbLinear *linear, const NbStatement *copy, LLVMValueRef to,
                              LLVMValueRef from);
bool nb_linear_reuse_for_number(NbLinear *linear, LLVMValueRef store);
/* A number that is only loaded and stored: checks when the program runs that it is no pointer. */
void nb_linear_check_moved_number(NbLinear *linear, LLVMValueRef load);
/* False where a call of a function with a body gets such memory: it is refused. */
bool nb_linear_reuse_in_call(const NbLinear *linear, LLVMValueRef call);

/* Refuses what reads memory that the caller does not need, or loses sight of a pointer to it. */
bool nb_linear_check_unneeded(NbLinear *linear, LLVMValueRef inst);
/* Statements of calls. False where it is refused. */
bool nb_linearise_call(NbLinear *linear, LLVMValueRef call);
/* The same of functions with a row that manage memory. */
bool nb_linear_refuse_free(const NbLinear *linear, LLVMValueRef call);
/* What a text that is written at `to` overwrites has no derivative behind the call. */
bool nb_linearise_string(NbLinear *linear, LLVMValueRef call, LLVMValueRef to,
                         const NbEffect *effect);
/* Neither have so many numbers that the call writes there by its row. */
bool nb_linearise_numbers(NbLinear *linear, LLVMValueRef call, LLVMValueRef to,
                          const NbExpr *extent, LLVMTypeRef type);
/* The same of `bytes` bytes of any kind. */
bool nb_linearise_constants(NbLinear *linear, LLVMValueRef call, LLVMValueRef to, uint64_t bytes);
bool nb_linearise_memory(NbLinear *linear, LLVMValueRef call, const NbRule *rule);

/* A copy from memory to memory, or a fill, in one direction. */
typedef struct NbMemoryTransfer {
  LLVMValueRef to, from, extent; /* `from` is NULL where memory is filled */
  unsigned lane;
} NbMemoryTransfer;

/* So many bytes at most; NB_UNKNOWN_SIZE: not known. */
uint64_t nb_linear_most(LLVMValueRef bytes);
/* A transfer to, from or within the memory of a device. */
bool nb_linearise_device(NbLinear *linear, LLVMValueRef call, const NbMemoryTransfer *transfer);
/* The arguments of a call, in the arena. */
LLVMValueRef *nb_linear_arguments(NbLinear *linear, LLVMValueRef call);
/* What sets bytes that are not known sets all of the shadow. */
void nb_statement_clear_unknown(NbStatement *fill);
/* The same, but for links that the reverse sweep finds in memory of others where a fill of known
 * extent was, and leaves. */
void nb_linear_clear_unknown(NbLinear *linear, NbStatement *fill, LLVMValueRef pointer);
/* SUM with the active terms of a row; `arguments` are the row's parameters. */
void nb_linearise_terms(NbLinear *linear, LLVMValueRef inst, const NbRule *rule,
                        const LLVMValueRef *arguments);
/* The sources of a tangent with the given terms, coefficients written after `inst`. */
void nb_linearise_sources(NbLinear *linear, NbStatement *statement, LLVMValueRef inst,
                          const NbTerm *terms, unsigned count, const LLVMValueRef *arguments);

/* Values whose coefficients are guarded, before coefficients are written; `instructions` in their
 * order. The same on the statements, when they stand. */
NbMap *nb_speculated_find(const NbLinear *linear, const NbList *instructions);
void nb_speculated_mark(NbLinear *linear, const NbMap *speculated);
/* The arm of the select that is a product of a derivative's own, which it only guards; 0: neither.
 */
unsigned nb_speculated_product(LLVMValueRef select);
/* Adds vectors of which some lanes are not set, or not asked for (lanes.c). */
void nb_lanes_find_idle(const NbLinear *linear, const NbList *instructions, NbMap *idle);

/* --- interleave.c: memory whose shadows lie side by side. --- */

/* Finds it, before any shadow is made; false where what the request asks for cannot be had. */
bool nb_interleaved_find(NbLinear *linear, const NbList *instructions);
/* The type with as many times the size, and members at as many times their offsets; NULL: there is
 * none. */
LLVMTypeRef nb_interleaved_type(const NbLinear *linear, LLVMTypeRef type);
/* Which operand says how many bytes the row's function allocates; the others only multiply it. */
bool nb_interleaved_count(const NbRule *rule, unsigned *operand);
/* The shadow parameter of the memory that the pointer leads to; NULL: it is not behind one. */
LLVMValueRef nb_interleaved_parameter(const NbLinear *linear, LLVMValueRef pointer);
/* As many times as many bytes as there are directions. */
LLVMValueRef nb_interleaved_bytes(const NbLinear *linear, LLVMBuilderRef builder,
                                  LLVMValueRef bytes);
/* The alignment of a vector of lanes, where that of the access through `pointer` is `align`. */
unsigned nb_interleaved_alignment(const NbLinear *linear, LLVMValueRef pointer, unsigned align);
/* `shadow` is the shadow of `array`. */
void nb_interleaved_set(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef array,
                        LLVMValueRef shadow);

/* --- disjoint.c --- */
/* Is what the call's arguments lead to known to lie apart, one from the other, and all that the
 * callee comes to? `shadows` are the arguments', or NULL, of the only direction. */
bool nb_linear_passes_apart(const NbLinear *linear, LLVMValueRef call, LLVMValueRef const *shadows);

#endif

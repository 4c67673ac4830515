// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* One collected call while it is served. */
#ifndef NABLA_REQUEST_SERVING_H
#define NABLA_REQUEST_SERVING_H

#include "check/check.h"
#include "request/collected.h"

typedef struct NbServing {
  NbContext *context;
  LLVMBuilderRef builder; /* stands before the call */
  LLVMValueRef call;
  NbCollected collected;
  LLVMValueRef function;
  NbRequest request;
  NbList arguments; /* of the derivative: the primal's, and in the end the shadows */
  NbList shadows;
  const NbMarked *operands;     /* behind the function, without those of the tape */
  const unsigned *indices;      /* of the call's operands that they are */
  const uint64_t *by_reference; /* how many bytes each points to; 0: it is the value itself */
  unsigned count, next;         /* how many there are, how many are taken */
  unsigned end;                 /* of the arguments; the shadows follow where they stand together */
  unsigned next_shadow;         /* the next of these; 0: each shadow follows its argument */
  LLVMValueRef tape;            /* where the user wants it or has it; NULL */
  bool tape_is_kept;            /* enzyme_tape said where */
  bool nested;                  /* a derivative is asked for of what has the call in it */
  bool replayed;                /* the tape is one for __enzyme_fwdsplit */
  LLVMValueRef tape_room;       /* bytes there; NULL: room for a pointer to the tape */
  NbMap *places;                /* parameter -> memory of ours that takes its adjoints, by lane */
  LLVMValueRef seed;            /* adjoint of the result; NULL where there is none */
  LLVMValueRef memory; /* of an sret result; NULL where there is none or it has been given away */
  LLVMTypeRef memory_type;
  bool *inputs;   /* request.inputs while they are found; NULL */
  NbList *served; /* notes of the calls that are to be checked */
} NbServing;

/* Sorts the operands of the call: those of the tape, and the others in their order. */
void nb_serving_take_operands(NbServing *serving);
/* Fills in request and arguments from the call's operands and the function's parameters; false
 * where the call was refused. */
bool nb_serving_take_arguments(NbServing *serving);
/* Pushes the adjoints of OUT arguments in order: members of `result` from `next` on, or what lies
 * in memory of ours. */
void nb_serving_push_adjoints(NbServing *serving, LLVMValueRef result, unsigned next,
                              NbList *fields);
/* Pushes what there is in each direction of `tangent`, of a value of type `type`. */
void nb_serving_push_lanes(NbServing *serving, LLVMValueRef tangent, LLVMTypeRef type,
                           NbList *fields);
/* Does the function return an integer that holds floats, of which a derivative is asked for? */
bool nb_serving_returns_packed(const NbServing *serving);
/* Decides the role of the result and takes its adjoint; false where the call was refused. */
bool nb_serving_take_result(NbServing *serving);
/* One tangent or adjoint for all directions. Where it is a constant, an instruction holds it: the
 * linker, which runs before it is used, deletes arrays that nothing uses. */
LLVMValueRef nb_serving_lanes(const NbServing *serving, LLVMTypeRef type,
                              const LLVMValueRef *lanes);
/* The operand `serving->next` as a value of type `type`, after C's conversions; NULL where it is of
 * another type. */
LLVMValueRef nb_serving_convert(const NbServing *serving, LLVMTypeRef type);
/* The same of a number of bytes, as 64 bits; Fortran passes its address. */
LLVMValueRef nb_serving_convert_count(const NbServing *serving);
/* The values in `fields` laid out as a struct in memory and read back as `expected`. */
LLVMValueRef nb_serving_through_memory(NbServing *serving, const NbList *fields,
                                       LLVMTypeRef expected);
/* Takes the next operand, parameter `index` or its shadow, into `list`. */
bool nb_serving_take_value(NbServing *serving, unsigned index, NbList *list);
/* Takes the next operand where it is the address of a struct that the function takes in `parts`
 * parameters from `first` on, passed in memory or by reference; false: it is not, and stays. */
bool nb_serving_take_from_memory(NbServing *serving, unsigned first, unsigned parts, NbList *list);
/* Are all operands taken? False where the call was refused. */
bool nb_serving_check_end(NbServing *serving);
/* The copy that computes in a narrower format (request/truncate.c). */
bool nb_serving_emit_truncated(NbServing *serving, NbList *fields);
/* Calls the function for each lane; `fields` receives the results (request/batch.c). */
bool nb_serving_emit_batch(NbServing *serving, NbList *fields);
bool nb_serving_is_split(const NbServing *serving);
bool nb_serving_is_reverse(const NbServing *serving);
/* Does the call get the primal's result? */
bool nb_serving_wants_primal(const NbServing *serving);

/* Pushes what a forward derivative returned. */
void nb_serving_push_forward(NbServing *serving, LLVMValueRef result, NbList *fields);
/* Calls one of the derivative's functions with the arguments taken so far. */
LLVMValueRef nb_serving_call(NbServing *serving, LLVMValueRef derivative);
/* The program is to verify what this call of a derivative returns, where that is wanted. */
void nb_serving_note(NbServing *serving, NbServed served);
/* Do the markers fit the entry point? False where the call was refused. */
bool nb_serving_check_markers(const NbServing *serving);
/* The halves of split reverse mode (request/split.c); false where the call was refused. */
bool nb_serving_emit_augmented(NbServing *serving, NbDerivative *derivative, NbList *fields);
bool nb_serving_emit_reverse_half(NbServing *serving, NbDerivative *derivative, NbList *fields);
/* The same of forward mode that reads a tape: the call that makes it, and the
 * call that reads it. `nb_serving_replay` makes the request that of the derivative that both share.
 */
void nb_serving_replay(NbServing *serving);
bool nb_serving_emit_recorded(NbServing *serving, NbDerivative *derivative, NbList *fields);
bool nb_serving_emit_replayed(NbServing *serving, NbDerivative *derivative, NbList *fields);
void nb_serving_emit_size(NbServing *serving, const NbDerivative *derivative, NbList *fields);
/* Delivers what the derivative returned, as the call's type or in its memory. `*value` is what
 * replaces the call, NULL where nothing needs it; false where the call was refused. */
bool nb_serving_deliver(NbServing *serving, const NbList *fields, LLVMValueRef *value);
/* The functions whose tapes forward mode reads, with nb_split_find_replayed: of all calls. */
void nb_split_find_replayed(NbContext *context, const NbList *calls);
/* Does one of the collected calls read a tape without freeing it? */
bool nb_split_asks_again(const NbContext *context, const NbList *calls);
/* When all is served: refuses reverses whose roles are not those of the augmented forward. */
void nb_split_check_halves(NbContext *context);
/* The text of a type for a message. */
const char *nb_type_text(NbArena *arena, LLVMTypeRef type);
/* A local variable of the function around the call. */
LLVMValueRef nb_serving_local(NbServing *serving, LLVMTypeRef type);

#endif

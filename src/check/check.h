// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Programs that verify their own derivatives (-nabla-check; runtime/check.h, docs/check.md). */
#ifndef NABLA_CHECK_H
#define NABLA_CHECK_H

#include "linear/linear.h"

/* Which part of a derivative is called: the runtime's enum __nabla_check_part. */
typedef enum NbCheckedPart {
  NB_CHECKED_WHOLE,
  NB_CHECKED_AUGMENTED,
  NB_CHECKED_RECORDED, /* an augmented forward for forward mode that comes later */
  NB_CHECKED_REVERSED,
  NB_CHECKED_REVERSED_AGAIN,
  NB_CHECKED_REPLAYED,
  NB_CHECKED_REPLAYED_AGAIN
} NbCheckedPart;

/* The call of a derivative that took the place of a user's. */
typedef struct NbServed {
  LLVMValueRef call;
  NbRequest request;
  NbCheckedPart part;
  NbList shadows;      /* RECORDED: of the pointers, which the derivative is not given */
  uint64_t tape_bytes; /* of the tape of a half, where it may be moved; 0: its address is its own */
  bool asked;          /* is it to be checked? A half is where any half of its function is */
  bool primal;         /* REVERSE: does the derivative return the primal's result too? */
  const char *reason;  /* why it cannot be checked; NULL: it may be */
} NbServed;

/* Is the program to verify its derivatives? */
bool nb_check_wanted(const NbContext *context);
/* Notes a call that is to be checked. */
void nb_check_note(NbContext *context, NbList *served, NbServed call);
/* Each noted call becomes the call of a function that checks the derivative around calling it. To
 * be called when all requests have been served: what is differentiated has no checks in it. */
void nb_check_wrap(NbContext *context, const NbList *served);

/* Observed forward derivatives: tells the runtime which memory the statement is about to use, and
 * what it has computed; `tangent` is NULL where it has none. */
void nb_check_observe_memory(const NbLinear *linear, LLVMBuilderRef builder,
                             const NbStatement *statement);
void nb_check_observe_values(const NbLinear *linear, LLVMBuilderRef builder,
                             const NbStatement *statement, LLVMValueRef tangent);
/* What a derivative computes in. What is inactive is the same in all runs that are compared,
 * however it was rounded: the run tells of what is single whether it has a tangent, but not of
 * vectors, and of what the user's own derivatives do. */
typedef enum NbPrecision {
  NB_PRECISION_DOUBLE,
  NB_PRECISION_SINGLE,
  NB_PRECISION_UNSEEN /* single, and the run does not tell */
} NbPrecision;

/* Of the statements. */
NbPrecision nb_check_precision(const NbLinear *linear);
/* Notes it of an observed derivative. */
void nb_check_mark_precision(const NbContext *context, LLVMValueRef derivative,
                             NbPrecision precision);
/* What was noted of the derivative, and of those that it calls. */
NbPrecision nb_check_precision_of(const NbContext *context, LLVMValueRef derivative);
/* Does the user's function, or one that it calls, have anything in single precision? */
bool nb_check_uses_single(const NbContext *context, LLVMValueRef function);
/* Tells of numbers that are read without a statement: what they lead to has no derivative, or
 * lost it, as differences will tell. */
void nb_check_observe_loads(const NbLinear *linear);
/* Copies of callees that tell, and of those that cannot tell all, the reason. */
typedef struct NbLogged {
  NbMap *copies, *reasons;
} NbLogged;

/* The function, or a copy of it, that with all that it calls tells what it overwrites, allocates
 * and frees. `*reason`: why that cannot be told, or NULL. `logged` is shared by all calls for a
 * module. */
LLVMValueRef nb_check_log(NbContext *context, LLVMValueRef function, NbLogged *logged,
                          const char **reason);
/* The place of an instruction as a constant of the runtime's type. */
LLVMValueRef nb_check_place(NbContext *context, LLVMValueRef inst);
/* The text as a constant of the module. */
LLVMValueRef nb_check_text(NbContext *context, const char *text);
/* The constant as a private global of the module. */
LLVMValueRef nb_check_constant(NbContext *context, LLVMValueRef value);

#endif

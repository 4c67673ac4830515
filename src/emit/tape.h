// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Addresses in the tape, for both sweeps. */
#ifndef NABLA_EMIT_TAPE_H
#define NABLA_EMIT_TAPE_H

#include "plan/plan.h"

/* How one sweep finds its place: what the counters, trip counts and storages of loops are there. */
typedef struct NbTapeView {
  const NbPlan *plan;
  LLVMBuilderRef builder;
  LLVMValueRef tape; /* the struct */
  void *user;
  LLVMValueRef (*counter)(void *user, const NbWorkLoop *loop);
  LLVMValueRef (*trips)(void *user, const NbWorkLoop *loop);
  LLVMValueRef (*base)(void *user, const NbSlot *slot);      /* the room's arrays, or record */
  LLVMValueRef (*total)(void *user, const NbWorkLoop *loop); /* instances in the arrays */
  LLVMValueRef (*word)(void *user, const NbSlot *slot); /* a variable for a bit's word; to store */
} NbTapeView;

LLVMValueRef nb_tape_field(const NbTapeView *view, unsigned field);
/* Where the stack array `array` begins in its field of the tape. */
LLVMValueRef nb_tape_array(const NbTapeView *view, LLVMValueRef array);
/* The address of the slot in the current iteration. */
LLVMValueRef nb_tape_address(const NbTapeView *view, const NbSlot *slot);
/* Of `total` instances, the groups whose bits share a word: enough of them. */
LLVMValueRef nb_tape_groups(LLVMBuilderRef builder, LLVMValueRef total);
LLVMValueRef nb_tape_load(const NbTapeView *view, const NbSlot *slot);
void nb_tape_store(const NbTapeView *view, const NbSlot *slot, LLVMValueRef value);

#endif

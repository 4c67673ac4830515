// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Printing: the functions of a derivative. */
#ifndef NABLA_EMIT_H
#define NABLA_EMIT_H

#include "plan/plan.h"

/* Turns the working copy into the forward derivative: `function` is empty and has its type. */
void nb_emit_forward(NbLinear *linear, LLVMValueRef function);
/* Writes the reverse into the empty function `reverse`. Reads the working copy, changes nothing
 * there. With `again` the tape, and all that dies with it, is left as it was for another reverse.
 * False where a value was asked for that the plan does not provide: a bug of ours. */
bool nb_emit_reverse(const NbPlan *plan, LLVMValueRef reverse, bool again);
/* Turns the working copy into the augmented forward: `function` is empty and has its type. To be
 * called after nb_emit_reverse. */
void nb_emit_augmented(const NbPlan *plan, LLVMValueRef function);
/* Writes the combined derivative into the empty function `combined`, with or without the primal
 * result. */
void nb_emit_combined(NbContext *context, const NbDerivative *derivative, LLVMValueRef combined,
                      bool primal);

/* Replaces each key, a call of the primal's, by its value and erases it. Statements name these
 * calls: to be called when all statements are printed. */
void nb_emit_replace_calls(const NbMap *calls);
/* Index of the tape among the parameters of the working copy and the augmented forward. */
unsigned nb_emit_tape_index(const NbRequest *request);
/* What is left for the tapes of the run of which `function`, an augmented forward or its working
 * copy, is a part: a parameter; null where nothing limits them. */
LLVMValueRef nb_emit_budget(NbContext *context, const NbRequest *request, LLVMValueRef function);
/* Stores through parameters that the caller does not need (DUPNONEED) are dropped. */
void nb_emit_drop_unneeded(const NbLinear *linear, LLVMValueRef function);
/* A variable with this value. */
LLVMValueRef nb_emit_in_memory(LLVMBuilderRef builder, LLVMValueRef value);

#endif

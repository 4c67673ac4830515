// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Why things are kept for the reverse sweep, for people: by what the plan was decided with, and
 * what could be written so that they need not be. */
#ifndef NABLA_PLAN_REASONS_H
#define NABLA_PLAN_REASONS_H

#include "plan/plan.h"

/* One sentence each, in the arena: the reason, then what could be written instead or that there is
 * nothing. Of a value in its slot; of the tape of a call; of a stack array; of the copy of an array
 * that the ALLOCATE statement makes. To be called before anything is emitted. */
const char *nb_reason_of_value(const NbPlan *plan, LLVMValueRef value);
const char *nb_reason_of_call(const NbPlan *plan, const NbStatement *call);
const char *nb_reason_of_array(const NbPlan *plan, LLVMValueRef array);
const char *nb_reason_of_copy(const NbPlan *plan, const NbStatement *copy);

/* Does the statement make a copy of an array, in place of values that are read from it, or a table
 * of values that many iterations compute alike? */
bool nb_reason_is_copy(const NbStatement *statement);
/* Is it such a table? */
bool nb_reason_is_table(const NbPlan *plan, const NbStatement *copy);
/* One of the values that are read from the copy in the reverse sweep; NULL where there is none. */
LLVMValueRef nb_reason_reader(const NbPlan *plan, const NbStatement *copy);
/* One with the line at which the loop stands, where it has one. */
LLVMValueRef nb_reason_loop_place(const NbWorkLoop *loop);
/* An instruction with a line of the source, by which people know the value: its own; else that of
 * what it is computed from, or of who uses it; else of the loop around it. */
LLVMValueRef nb_reason_place(const NbWork *work, LLVMValueRef value);

#endif

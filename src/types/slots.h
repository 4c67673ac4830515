// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Accesses of integers and pointers in memory that is nabla's own are noted: in slots of tapes, in
 * what the runtime keeps for itself, and in the shadows of these. No float is ever there, while
 * offsets may not tell one slot from another: a derivative of a derivative learns from the notes
 * what the types cannot know. */
#ifndef NABLA_TYPES_SLOTS_H
#define NABLA_TYPES_SLOTS_H

#include "base/context.h"

/* Is the load or store one of an integer or a pointer in such memory? */
bool nb_access_is_slot(LLVMValueRef access);
/* Is it that, or does TBAA say what it accesses? */
bool nb_access_says_type(LLVMValueRef access);
/* Notes that it is one. */
void nb_access_note_slot(LLVMValueRef access);
/* The same where `origin`, whose shadow or repetition the access is, is one. */
void nb_access_note_as(LLVMValueRef access, LLVMValueRef origin);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Exceptions in a working copy.
 *
 * An invoke stands there as a call and a branch: "has it thrown?", asked of a function that does
 * not exist. All stages between see calls and branches alone. What is written behind the call
 * stands on the way on which it returned. When a derivative has been emitted, the invokes come
 * back. */
#ifndef NABLA_PREPARE_UNWIND_H
#define NABLA_PREPARE_UNWIND_H

#include "prepare/prepare.h"

/* Where an exception arrives: what stands for its two parts, and what is caught there. */
typedef struct NbLanding {
  LLVMValueRef object, selector;
  LLVMTypeRef type;
  bool cleanup;
  unsigned count;
  LLVMValueRef *clauses;
} NbLanding;

/* An invoke that stands as a call. */
typedef struct NbUnwind {
  LLVMValueRef call;
  LLVMValueRef thrown; /* the condition of the branch behind it: on true to the landing */
  const NbLanding *landing;
} NbUnwind;

/* Replaces the invokes of the working copy. */
void nb_unwind_replace(NbWork *work);
/* Brings them back, with the calls that now stand in the places of theirs. */
void nb_unwind_restore(const NbWork *work);
/* Is the value the condition of such a branch? */
bool nb_unwind_is_condition(const NbWork *work, LLVMValueRef value);
/* Is the call one whose exception is caught by a handler from which the function goes on? */
bool nb_unwind_is_caught(const NbWork *work, LLVMValueRef call);
/* The block in which the call, if it is such a one, has returned; else the block of the value. */
NbWorkBlock *nb_unwind_block(const NbWork *work, LLVMValueRef value);

#endif

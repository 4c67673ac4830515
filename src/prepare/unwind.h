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
  LLVMBasicBlockRef pad; /* when it is an invoke again: where it lands; NULL: nothing throws */
} NbUnwind;

/* Makes an invoke of each call in the working copy that may throw, where something in the module
 * may catch that: from its landing the exception goes on. */
void nb_unwind_watch(NbWork *work);
/* Replaces the invokes of the working copy. */
void nb_unwind_replace(NbWork *work);
/* Brings them back, with the calls that now stand in the places of theirs. */
void nb_unwind_restore(const NbWork *work);
/* The same of a copy of the working copy: `twins` leads from the values of the one to those of the
 * other. Call it before anything else happens to them. */
NbWork *nb_unwind_twin(const NbWork *work, LLVMValueRef function, const NbMap *twins);
/* Does the call stand for what a landing is told, or ask for what only its function can say? */
bool nb_unwind_is_told(LLVMValueRef call);
/* Is the value the condition of such a branch? */
bool nb_unwind_is_condition(const NbWork *work, LLVMValueRef value);
/* Is the call one whose exception is caught by a handler from which the function goes on? */
bool nb_unwind_is_caught(const NbWork *work, LLVMValueRef call);
/* The block in which the call, if it is such a one, has returned; else the block of the value. */
NbWorkBlock *nb_unwind_block(const NbWork *work, LLVMValueRef value);

#endif

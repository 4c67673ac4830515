// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What happens between the place where a copy of memory is made and the loops that read there: does
 * control come to them, and do they see what was copied? */
#ifndef NABLA_PLAN_BETWEEN_H
#define NABLA_PLAN_BETWEEN_H

#include "linear/linear.h"

typedef struct NbBetween {
  NbLinear *linear;
  unsigned budget; /* steps through the control flow that are taken at most */
  NbMap *steps;    /* block -> how control comes there from its immediate dominator */
  NbMap *decided;  /* block -> condition -> which of its sides are decided there */
} NbBetween;

NbBetween nb_between_new(NbLinear *linear);

/* May control go on from the end of `from` to `to`, without coming into `past` (NULL: any)? True
 * also where that would take too long to find out. */
bool nb_between_reaches(NbBetween *between, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                        LLVMBasicBlockRef past);
/* Does the writer stand on the way from the end of `site` to the loop behind it, which is in the
 * same loop around both? */
bool nb_between_stands(NbBetween *between, LLVMBasicBlockRef site, const NbWorkLoop *loop,
                       LLVMValueRef writer);
/* Does the loop around `load` write what it reads, if at all, behind its reading it, the same
 * element in each iteration, so that each sees what was there before the loop? */
bool nb_between_overwrites_behind(const NbBetween *between, LLVMValueRef load);
/* A two-way branch on the way. */
typedef struct NbCondition {
  LLVMValueRef value;
  bool holds; /* whether control goes on to the loop where the value is true */
} NbCondition;

/* Adds the conditions (NbCondition) under which control comes to the loop when it has come through
 * `site`, which dominates it, where each call on the way comes back. False where they are not
 * known. Each loop in a row tests the same bound: what was decided before is left out. */
bool nb_between_conditions(const NbBetween *between, LLVMBasicBlockRef site, const NbWorkLoop *loop,
                           NbList *conditions);
/* Does each call come back to the function, so that what runs behind it is sure to run? */
bool nb_between_comes_back(const NbLinear *linear, LLVMValueRef call);

#endif

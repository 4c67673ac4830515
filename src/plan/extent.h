// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which bytes an access touches while the loops around it run, as far as that is known before. */
#ifndef NABLA_PLAN_EXTENT_H
#define NABLA_PLAN_EXTENT_H

#include "linear/linear.h"

/* A value that changes by a fixed step in each iteration of each of `count` loops: any sum of its
 * start and, for each loop, the step times at most as often as control goes back there. */
typedef struct NbSpan {
  NbScev *start;
  unsigned count;
  NbScev **steps;
  struct NbSpan **rounds; /* how often control goes back, the same or less */
} NbSpan;

/* The values of an integer, or how far `value`, a pointer, is from `base`, in bytes: as it is used
 * in `block`, while `outer` (NULL: the function) runs once. NULL where they are not known at its
 * entry. */
NbSpan *nb_span_of(const NbWork *work, LLVMValueRef value, LLVMValueRef base,
                   LLVMBasicBlockRef block, const NbWorkLoop *outer);
/* Can it be computed before the instruction? */
bool nb_span_is_safe(const NbWork *work, const NbSpan *span, LLVMValueRef before);

/* What was computed of a range, as integers of 64 bits. */
typedef struct NbHull {
  LLVMValueRef least, greatest;
  LLVMValueRef reach; /* a double, not less than what would be the magnitude of all values if none
                         wrapped around */
} NbHull;

/* Writes code for it before the instruction. */
NbHull nb_span_write(const NbWork *work, LLVMBuilderRef builder, const NbSpan *span,
                     LLVMValueRef before);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which memory a single instruction of the primal reads and writes. */
#ifndef NABLA_PLAN_TOUCH_H
#define NABLA_PLAN_TOUCH_H

#include "base/context.h"

enum { NB_TOUCHES = 2 };

typedef struct NbTouch {
  LLVMValueRef pointer;
  uint64_t bytes;
  LLVMValueRef length; /* of a transfer: as many bytes more; NULL */
  bool writes;
} NbTouch;

typedef struct NbTouches {
  bool known; /* no more than these, and what the callee does */
  unsigned count;
  NbTouch items[NB_TOUCHES];
  LLVMValueRef callee; /* a function with a body, without a rule; NULL */
} NbTouches;

/* Is it memory that the function itself made, or a constant? */
bool nb_touch_is_own(const NbContext *context, LLVMValueRef pointer);
/* Own memory counts for nothing. */
NbTouches nb_touches_of(NbContext *context, LLVMValueRef inst);

#endif

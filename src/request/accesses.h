// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a function does with the memory behind one of its pointers, for registered derivatives. */
#ifndef NABLA_REQUEST_ACCESSES_H
#define NABLA_REQUEST_ACCESSES_H

#include "base/context.h"

/* What is accessed at once behind the pointer. */
typedef struct NbFormatBehind {
  LLVMTypeRef number; /* of its elements; NULL */
  bool mixed;         /* pointers, or several kinds */
} NbFormatBehind;

typedef struct NbChange {
  bool stored; /* something */
  bool moved;  /* there is more than sums that go on */
} NbChange;

typedef struct NbAccesses {
  NbChange here;   /* behind the pointer */
  NbChange behind; /* behind pointers that are there */
  bool unseen;     /* a pointer goes where nobody sees */
} NbAccesses;

/* Follows the pointer; what it finds joins `format`. */
NbAccesses nb_accesses_behind(NbContext *context, LLVMValueRef pointer, NbFormatBehind *format);

#endif

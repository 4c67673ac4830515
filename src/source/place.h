// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where a pointer leads: an object, and how far from its beginning. */
#ifndef NABLA_SOURCE_PLACE_H
#define NABLA_SOURCE_PLACE_H

#include "source/writer.h"

enum { TERMS_MAX = 4 };

typedef struct Term {
  LLVMValueRef value;
  int64_t scale; /* bytes */
} Term;

typedef struct Place {
  LLVMValueRef base;
  int64_t offset;
  Term terms[TERMS_MAX];
  unsigned count;
  bool inside; /* each step stays in the object */
  bool known;  /* else there are too many terms */
} Place;

/* Is the operation one on 64 bits whose operands are known to be so small that it is the same with
 * a sign? */
bool source_does_not_wrap(const Writer *writer, LLVMValueRef integer);
/* Follows address computations that have no variable of their own; `f` NULL: all of them. */
Place source_place(const Function *f, Writer *writer, LLVMValueRef pointer);

#endif

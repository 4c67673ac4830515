// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* An element of one of Fortran's arrays whose declaration tells its shape, by its indices. */
#ifndef NABLA_EXPLAIN_ELEMENT_H
#define NABLA_EXPLAIN_ELEMENT_H

#include "bridge/bridge.h"

enum { ELEMENT_RANK = 15, ELEMENT_TERMS = 8 };

/* So many times a value; NULL: 1. */
typedef struct {
  LLVMValueRef value;
  int64_t times;
  unsigned extents; /* a bit for each dimension whose size is a factor, too */
  unsigned dimension;
} ElementTerm;

typedef struct {
  LLVMValueRef array;
  unsigned rank, count;
  ElementTerm terms[ELEMENT_TERMS];
  int64_t constants[ELEMENT_RANK]; /* what is added to the terms of a dimension */
} Element;

/* False: the address is that of no element, or not every index is seen. */
bool element_at(Element *element, LLVMTargetDataRef layout, LLVMValueRef pointer);

#endif

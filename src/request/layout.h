// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the scalars of a type lie in memory. */
#ifndef NABLA_REQUEST_LAYOUT_H
#define NABLA_REQUEST_LAYOUT_H

#include "base/context.h"

typedef struct NbLeaf {
  unsigned long long offset;
  LLVMTypeRef type;
} NbLeaf;

enum { NB_LEAF_LIMIT = 256 };

typedef struct NbLeaves {
  LLVMTargetDataRef layout;
  unsigned count;
  bool overflow; /* there are more, which are not listed */
  NbLeaf items[NB_LEAF_LIMIT];
} NbLeaves;

/* The scalars of `type`, in the context's arena. */
NbLeaves *nb_leaves_of(const NbContext *context, LLVMTypeRef type);
/* Does a value of `given`, written to memory, read back as one of `expected`: each scalar as one of
 * its own type, or within an integer? */
bool nb_layout_agrees(const NbContext *context, LLVMTypeRef given, LLVMTypeRef expected);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* How an address is computed from a pointer, as the types of its geps have it. */
#ifndef NABLA_OBJECTS_PATH_H
#define NABLA_OBJECTS_PATH_H

#include "base/context.h"

enum { NB_MOST_STEPS = 8 };

/* The address is `root + offset + i * stride + ...`, with a stride and a count for each index that
 * varies: the index is one of `count` numbers from 0 on, as C promises of arrays in structs (0: any
 * number). Strides and counts stand in pairs, outer arrays first. */
typedef struct NbPath {
  const NbContext *context;
  LLVMValueRef root;
  uint64_t outer; /* the bytes of what the first gep counts in */
  int64_t offset;
  int64_t least; /* what the indices add at least that are chosen from constants */
  uint64_t pairs[2 * NB_MOST_STEPS];
  unsigned count;
  bool bounded; /* some index is into an array in something */
  bool failed;
} NbPath;

/* Is the value one that a path steps through? */
bool nb_path_steps(LLVMValueRef value);
NbPath nb_path_of(const NbContext *context, LLVMValueRef pointer);
/* What the indices of the gep lead to, as its own types have it. */
LLVMTypeRef nb_path_type(LLVMValueRef gep);
/* The largest struct of the source's that the address leads into by constants alone, so many bytes
 * behind where it starts; NULL where there is none. */
LLVMTypeRef nb_path_struct(const NbContext *context, LLVMValueRef pointer, uint64_t *offset);

#endif

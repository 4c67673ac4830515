// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the scalars of a type lie in memory. */
#ifndef NABLA_REQUEST_LAYOUT_H
#define NABLA_REQUEST_LAYOUT_H

#include "base/context.h"

typedef struct NbLeaf {
  unsigned long long offset;
  LLVMTypeRef type;
  bool element; /* of an array */
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
/* The same, but for what is padding in the result of the call `padded`, or nothing where NULL. */
bool nb_layout_agrees_but(const NbContext *context, LLVMTypeRef given, LLVMTypeRef expected,
                          LLVMValueRef padded);
/* Does a scalar of `type` lie at the offset? */
bool nb_layout_has(const NbContext *context, LLVMTypeRef type, unsigned long long offset);
/* Is one of them a float, or a vector of such? */
bool nb_leaves_have_float(const NbLeaves *leaves);
/* Is it a struct of the program's in which no union lies, and each member is a scalar, a struct or
 * an array of such, at most MOST_DEPTH deep? Then its leaves are all that C lets it hold. */
bool nb_layout_is_plain(LLVMTypeRef type);
/* The same, of structs that are packed, too. */
bool nb_layout_has_no_union(LLVMTypeRef type);
/* A number, an integer of whole bytes, or a pointer? */
bool nb_layout_is_scalar(LLVMTypeRef type);
/* The address of the scalar that begins at the offset in the plain struct `whole` at `memory`. */
LLVMValueRef nb_layout_address(const NbContext *context, LLVMBuilderRef builder, LLVMTypeRef whole,
                               LLVMValueRef memory, unsigned long long offset);
/* The struct that fills the bytes at the pointer, as its address is declared, but for padding at
 * its end: the type, or what comes first in it; NULL where there is none. */
LLVMTypeRef nb_layout_struct_at(const NbContext *context, LLVMValueRef pointer, uint64_t bytes);
/* The struct that is copied as bytes, as one end is declared or both are; else NULL. */
LLVMTypeRef nb_layout_copied(const NbContext *context, LLVMValueRef copy);

#endif

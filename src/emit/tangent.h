// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic on tangents and adjoints of any type: floats, vectors, and structs and arrays with
 * floats in them, whose other leaves are left alone. */
#ifndef NABLA_EMIT_TANGENT_H
#define NABLA_EMIT_TANGENT_H

#include "base/context.h"

typedef struct NbTangents {
  LLVMBuilderRef builder;
  unsigned fast_math; /* flags for the instructions written */
  bool strong_zero;   /* a zero tangent stays zero, whatever scales it */
} NbTangents;

/* Member `index` of a struct or vector, and the whole with that member replaced. */
LLVMValueRef nb_tangent_member(LLVMBuilderRef builder, LLVMValueRef whole, unsigned index);
LLVMValueRef nb_tangent_with_member(LLVMBuilderRef builder, LLVMValueRef whole, LLVMValueRef part,
                                    unsigned index);
/* The tangent with the pointers of `shadow`, a value of the same type. */
LLVMValueRef nb_tangent_with_pointers(LLVMBuilderRef builder, LLVMValueRef tangent,
                                      LLVMValueRef shadow);
/* The number of members of a struct or array; 0 for other types. */
unsigned nb_tangent_members(LLVMTypeRef type);
LLVMValueRef nb_tangent_add(const NbTangents *tangents, LLVMValueRef left, LLVMValueRef right);
/* coefficient * tangent; a coefficient of NULL is one. */
LLVMValueRef nb_tangent_scale(const NbTangents *tangents, LLVMValueRef coefficient,
                              LLVMValueRef tangent);
/* The value with all its floats zero. */
LLVMValueRef nb_tangent_clear(const NbTangents *tangents, LLVMValueRef value);
/* The tangent in another float format. */
LLVMValueRef nb_tangent_cast(const NbTangents *tangents, LLVMValueRef tangent, LLVMTypeRef type);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic on tangents and adjoints of any type, and the one place that knows what they look like
 * when there are several directions at once: W lanes.
 *
 * The tangent of a float is a vector of W floats, that of a vector an array of W vectors, that of a
 * struct or array has the tangents of its members. Pointers in it are arrays of W shadows, and
 * members without derivative stand there once. At width 1 a tangent has its value's type. */
#ifndef NABLA_EMIT_TANGENT_H
#define NABLA_EMIT_TANGENT_H

#include "base/context.h"

enum { NB_MOST_WIDTH = 256 };

typedef struct NbTangents {
  LLVMBuilderRef builder;
  unsigned fast_math; /* flags for the instructions written */
  bool strong_zero;   /* a zero tangent stays zero, whatever scales it */
  bool product;       /* nor does a zero coefficient leave anything of a tangent */
  bool again;         /* what is written may be differentiated again */
  bool masks;         /* tangents are masks: they are joined, and nothing scales them */
} NbTangents;

/* The type of the tangent of a value of type `type`. */
LLVMTypeRef nb_tangent_type(LLVMTypeRef type, unsigned width);
/* The integers that have the bits of floats, or of vectors of floats, of type `type`. */
LLVMTypeRef nb_tangent_bits(LLVMTypeRef type);
/* The tangent in one direction, of type `type`; and the whole of `width` of these. */
LLVMValueRef nb_tangent_lane(LLVMBuilderRef builder, LLVMValueRef tangent, LLVMTypeRef type,
                             unsigned width, unsigned lane);
LLVMValueRef nb_tangent_of_lanes(LLVMBuilderRef builder, LLVMTypeRef type, unsigned width,
                                 const LLVMValueRef *lanes);
/* The tangent of member `index` of a struct or vector of type `type`, and the whole with that
 * member replaced. */
LLVMValueRef nb_tangent_member(LLVMBuilderRef builder, LLVMValueRef whole, LLVMTypeRef type,
                               unsigned width, unsigned index);
LLVMValueRef nb_tangent_with_member(LLVMBuilderRef builder, LLVMValueRef whole, LLVMTypeRef type,
                                    unsigned width, unsigned index, LLVMValueRef part);
/* The tangent with the pointers and integers of `shadows`, one value of type `type` for each lane.
 */
LLVMValueRef nb_tangent_with_shadows(LLVMBuilderRef builder, LLVMValueRef tangent, LLVMTypeRef type,
                                     unsigned width, const LLVMValueRef *shadows);
LLVMValueRef nb_tangent_add(const NbTangents *tangents, LLVMValueRef left, LLVMValueRef right);
/* coefficient * tangent; a coefficient of NULL is one. */
LLVMValueRef nb_tangent_scale(const NbTangents *tangents, LLVMValueRef coefficient,
                              LLVMValueRef tangent);
/* decision ? first : second, of values of one type. */
LLVMValueRef nb_tangent_choose(const NbTangents *tangents, LLVMValueRef decision,
                               LLVMValueRef first, LLVMValueRef second);
/* The value with all its floats zero. */
LLVMValueRef nb_tangent_clear(const NbTangents *tangents, LLVMValueRef value);
/* The tangent in another float format: `type` is that of a tangent. */
LLVMValueRef nb_tangent_cast(const NbTangents *tangents, LLVMValueRef tangent, LLVMTypeRef type);

#endif

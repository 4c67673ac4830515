// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What rounding may have done to a value: in forward mode that estimates errors, a tangent is a
 * bound of the distance to the exact result, to first order. Between operations it is that
 * distance; in memory, and for the user, it is a part of the value: of a value that is zero the
 * distance. */
#ifndef NABLA_EMIT_ROUNDING_H
#define NABLA_EMIT_ROUNDING_H

#include "base/context.h"

/* |value|, of a float, a vector of floats, or an array of either. */
LLVMValueRef nb_rounding_magnitude(LLVMBuilderRef builder, LLVMValueRef value);
/* Is the result of the instruction rounded? */
bool nb_rounding_rounds(LLVMValueRef inst);
/* The distance from the float, or each of a vector, to the next of its format. */
LLVMValueRef nb_rounding_unit(LLVMBuilderRef builder, LLVMValueRef value);
/* From the errors of `value` as parts of it, `width` of them, to the distances, and back; of
 * structs and arrays those of each float in them. What is no float stays: memory holds it so. */
LLVMValueRef nb_rounding_absolute(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error,
                                  unsigned width);
LLVMValueRef nb_rounding_relative(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef error,
                                  unsigned width);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What rounding may have done to a value: in forward mode that estimates errors, a tangent is a
 * bound of the distance to the exact result, to first order. */
#ifndef NABLA_EMIT_ROUNDING_H
#define NABLA_EMIT_ROUNDING_H

#include "base/context.h"

/* |value|, of a float or a vector of floats. */
LLVMValueRef nb_rounding_magnitude(LLVMBuilderRef builder, LLVMValueRef value);
/* Is the result of the instruction rounded? */
bool nb_rounding_rounds(LLVMValueRef inst);
/* The distance from the float, or each of a vector, to the next of its format. */
LLVMValueRef nb_rounding_unit(LLVMBuilderRef builder, LLVMValueRef value);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which instructions compute the same from the same operands. */
#ifndef NABLA_LINEAR_OPERATION_H
#define NABLA_LINEAR_OPERATION_H

#include "linear/linear.h"

/* Do the two instructions, neither a shuffle nor an insertion of a member, do the same with their
 * operands, but for rounding? Loads that see the same memory do. */
bool nb_linear_same_operation(const NbLinear *linear, LLVMValueRef a, LLVMValueRef b);

#endif

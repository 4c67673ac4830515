// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Integers that are the bits of a float in a result or parameter (a union, or a structure that the
 * ABI passes as an integer) go through memory: bytes in memory have types, tangents and shadows. */
#ifndef NABLA_DIRECT_THROUGH_H
#define NABLA_DIRECT_THROUGH_H

#include "base/context.h"

/* `function`, with a body, or a copy of it of the same type, which calls copies of functions: those
 * take pointers in place of such parameters, and one more in place of such a result. */
LLVMValueRef nb_through_of(NbContext *context, LLVMValueRef function);

#endif

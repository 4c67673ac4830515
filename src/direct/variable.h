// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Functions that take a variable number of arguments are called with as many as the call has: for
 * each shape of such a call the function is copied, and the copy takes a pointer to memory, in its
 * caller's frame, where the variable arguments lie as the ABI has them in memory. There `va_start`
 * says that none came in registers. */
#ifndef NABLA_DIRECT_VARIABLE_H
#define NABLA_DIRECT_VARIABLE_H

#include "base/context.h"

/* `function`, with a body, or a copy of it of the same type in which calls of such functions, where
 * these have a body, are calls of copies; so in all functions that it leads to. Calls by name
 * alone are seen. Where the arguments' place is not known, the call stays as it is. */
LLVMValueRef nb_variable_of(NbContext *context, LLVMValueRef function);

#endif

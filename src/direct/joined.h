// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Accesses that several branches share are given back to each of them. */
#ifndef NABLA_DIRECT_JOINED_H
#define NABLA_DIRECT_JOINED_H

#include "base/context.h"

/* Has the function, with a body, an access through a pointer that a branch chose between memory on
 * the heap and other memory? */
bool nb_joined_any(NbContext *context, LLVMValueRef function);
/* Gives each branch such accesses of its own. What the function does stays the same. */
void nb_joined_split(NbContext *context, LLVMValueRef function);

#endif

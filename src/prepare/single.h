// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops of one block. */
#ifndef NABLA_PREPARE_SINGLE_H
#define NABLA_PREPARE_SINGLE_H

#include "base/context.h"

/* Does the block lead to itself, and to another? */
bool nb_single_repeats(LLVMBasicBlockRef block);
/* Is the instruction used in its block alone, and does it no more than count or find a place? */
bool nb_single_leads_on(LLVMValueRef inst);

#endif

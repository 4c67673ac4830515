// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_MASKED_H
#define NABLA_PREPARE_MASKED_H

#include "base/context.h"

/* Spells loads and stores of the lanes that a mask has, of vectors of fixed length, as a load or a
 * store of each: what the mask lacks goes to memory of the function's own. */
void nb_prepare_spell_masked(const NbContext *context, LLVMValueRef function);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_PERMUTATIONS_H
#define NABLA_PREPARE_PERMUTATIONS_H

#include "base/context.h"

/* LLVM's intrinsics that put lanes of fixed vectors in another order become shuffles; those that
 * take numbers of 16 bits as integers become casts. */
void nb_prepare_spell_permutations(const NbContext *context, LLVMValueRef function);

#endif

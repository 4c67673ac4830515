// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of local structs, in which integers are told from bits. */
#ifndef NABLA_PREPARE_COPIES_H
#define NABLA_PREPARE_COPIES_H

#include "base/context.h"

/* Integers that are members of a local struct of declared type, among numbers, are copied apart,
 * and noted as a struct's integers: what is left of the copy when the struct becomes values says
 * nothing of it. */
void nb_prepare_spell_copies(NbContext *context, LLVMValueRef function);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_INITIALS_H
#define NABLA_PREPARE_INITIALS_H

#include "base/context.h"

/* Copies of what structs begin with, where all but a few integers are zero, become zeros and
 * stores of these. */
void nb_prepare_spell_initials(NbContext *context, LLVMValueRef function);

#endif

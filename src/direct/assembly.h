// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Inline assembly that says what it computes. */
#ifndef NABLA_DIRECT_ASSEMBLY_H
#define NABLA_DIRECT_ASSEMBLY_H

#include "base/context.h"

/* Has the function assembly that nb_assembly_open can replace? */
bool nb_assembly_any(LLVMValueRef function);
/* Puts instructions in the place of assembly without an instruction, which gives what it takes, and
 * of the single instructions in assembly.def. */
void nb_assembly_open(NbContext *context, LLVMValueRef function);

#endif

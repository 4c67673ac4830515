// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies that stay within an array. */
#ifndef NABLA_PREPARE_WITHIN_H
#define NABLA_PREPARE_WITHIN_H

#include "base/context.h"

/* Where it is noted how far a copy or a fill goes at most (objects/within.c), and only the run
 * tells how far it goes, the program ends with a message where it goes further. `primal` is whose
 * code it is. */
void nb_prepare_bound_copies(NbContext *context, LLVMValueRef primal, LLVMValueRef function);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a phi takes on ways on which nobody uses it. */
#ifndef NABLA_PREPARE_ARMS_H
#define NABLA_PREPARE_ARMS_H

#include "prepare/prepare.h"

/* The optimiser makes one phi of what a union holds, number or pointer, and uses it behind the same
 * decision again, each kind in its place. Arms of such phis that surely nobody uses become zero, so
 * that each phi is of one kind. True where the function changed. */
bool nb_prepare_drop_arms(NbContext *context, LLVMValueRef function);

#endif

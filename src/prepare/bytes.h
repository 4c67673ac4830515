// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops over single bytes. */
#ifndef NABLA_PREPARE_BYTES_H
#define NABLA_PREPARE_BYTES_H

#include "base/context.h"

/* Are bytes copied, or set to a constant, one by one in a loop of the function? */
bool nb_prepare_moves_bytes(const NbContext *context, LLVMValueRef function);

#endif

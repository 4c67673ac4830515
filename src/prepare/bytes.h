// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops over single bytes, or over pieces of a few. */
#ifndef NABLA_PREPARE_BYTES_H
#define NABLA_PREPARE_BYTES_H

#include "base/context.h"

/* The size in bytes of the integer, of whole ones, that the load or store moves; else 0. */
unsigned nb_prepare_size_moved(LLVMValueRef access);
/* The same, if it is no more than bytes: one, or an integer that lies anywhere, as memcpy leaves
 * it; else 0. */
unsigned nb_prepare_piece(LLVMValueRef access);
/* Are bytes copied, or set to a constant, one by one in a loop of the function? */
bool nb_prepare_moves_bytes(const NbContext *context, LLVMValueRef function);

#endif

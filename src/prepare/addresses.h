// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_ADDRESSES_H
#define NABLA_PREPARE_ADDRESSES_H

#include "prepare/prepare.h"

/* Where pointers are joined, and their addresses as integers beside them, takes the address of the
 * joined pointer instead. */
void nb_prepare_take_addresses(NbContext *context, LLVMValueRef function);

#endif

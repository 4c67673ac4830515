// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that read what they have left behind them. */
#ifndef NABLA_EFFECTS_AHEAD_H
#define NABLA_EFFECTS_AHEAD_H

#include "prepare/prepare.h"

/* Does the store, whenever it runs after the load did, write past what that read? So it is of
 * `x[i] = f(x[i - 1])`, in a loop that runs once: what is read is final. */
bool nb_store_is_ahead(const NbWork *work, LLVMValueRef store, LLVMValueRef load);

#endif

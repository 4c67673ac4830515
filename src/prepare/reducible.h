// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Cycles that are entered at several places become loops with one. */
#ifndef NABLA_PREPARE_REDUCIBLE_H
#define NABLA_PREPARE_REDUCIBLE_H

#include "base/context.h"

/* But those that are entered where exceptions land. Returns whether the function is another now;
 * some of its values are variables then. */
bool nb_reducible_make(NbContext *context, LLVMValueRef function);

#endif

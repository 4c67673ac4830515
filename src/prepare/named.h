// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Words that all their accesses name pointers. */
#ifndef NABLA_PREPARE_NAMED_H
#define NABLA_PREPARE_NAMED_H

#include "base/context.h"

/* The optimiser copies pointers as integers of their size. Where every load and every store of such
 * an integer says that a pointer lies there (TBAA), also where something else does at other times,
 * it becomes one. True where the function changed. */
bool nb_prepare_name_pointers(NbContext *context, LLVMValueRef function);

#endif

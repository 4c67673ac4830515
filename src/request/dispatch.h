// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls whose function is one of several. */
#ifndef NABLA_REQUEST_DISPATCH_H
#define NABLA_REQUEST_DISPATCH_H

#include "request/collected.h"

/* The functions that `operand` can be, looking through select and phi; false where some of it is
 * not known. */
bool nb_candidates(const NbContext *context, LLVMValueRef operand, NbList *candidates);
/* Splits the call, whose operand `index` is one of `candidates`, into one call for each, chosen by
 * comparing the operand; pushes them, the original among them, in the candidates' order. */
void nb_dispatch(NbContext *context, LLVMValueRef call, unsigned index, const NbList *candidates,
                 NbList *calls);

#endif

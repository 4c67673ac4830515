// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops that set a few elements to constants. */
#ifndef NABLA_PREPARE_FILLS_H
#define NABLA_PREPARE_FILLS_H

#include "base/context.h"

/* The headers of the function's loops that do nothing but store constants. */
NbList nb_prepare_find_fills(const NbContext *context, LLVMValueRef function);
/* Makes stores of those that have few iterations; the function's loops are in canonical form. Has
 * anything changed? */
bool nb_prepare_spell_fills(const NbContext *context, const NbList *headers);

#endif

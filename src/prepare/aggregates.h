// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_AGGREGATES_H
#define NABLA_PREPARE_AGGREGATES_H

#include "base/context.h"

/* Splits each load and store, not volatile, of a struct or array that has pointers in it. */
void nb_prepare_split_aggregates(const NbContext *context, LLVMValueRef function);

#endif

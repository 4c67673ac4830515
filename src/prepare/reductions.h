// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NABLA_PREPARE_REDUCTIONS_H
#define NABLA_PREPARE_REDUCTIONS_H

#include "base/context.h"

/* Reductions of vectors of floats become chains of scalar operations. */
void nb_prepare_expand_reductions(NbContext *context, LLVMValueRef function);

#endif

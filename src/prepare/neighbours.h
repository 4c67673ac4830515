// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arithmetic between neighbouring lanes, of a function's copy. */
#ifndef NABLA_PREPARE_NEIGHBOURS_H
#define NABLA_PREPARE_NEIGHBOURS_H

#include "base/context.h"

/* Makes x86's sums and differences of neighbouring lanes, and its alternating ones, of shuffles and
 * of operators on whole vectors, which have derivatives. */
void nb_prepare_expand_neighbours(NbContext *context, LLVMValueRef function);

#endif

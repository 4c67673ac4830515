// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a loop carries from one iteration to the next is loaded again. */
#ifndef NABLA_PREPARE_CARRIED_H
#define NABLA_PREPARE_CARRIED_H

#include "prepare/prepare.h"

/* Where the header's phi is what the iteration before loaded, and before the first the same was
 * loaded from one step below: a load of it, in terms of the loop's counter, behind the header's
 * phis. NULL where it is none, or its memory may have been written since. */
LLVMValueRef nb_prepare_load_carried(NbWork *work, NbLoop *loop, const NbWorkLoop *known,
                                     LLVMValueRef phi);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Which values of a loop are never computed in the same iteration. */
#ifndef NABLA_PLAN_BRANCHES_H
#define NABLA_PLAN_BRANCHES_H

#include "prepare/prepare.h"

typedef struct NbBranches NbBranches;

NbBranches *nb_branches_new(const NbWork *work);
/* Are the two instructions, of one loop and of none inside it, in blocks of which control comes
 * through one at most between two arrivals at the loop's header? False where that is not looked
 * for, since there are too many. */
bool nb_branches_exclude(NbBranches *branches, LLVMValueRef one, LLVMValueRef other);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Values that many iterations compute alike, in a table in place of one for each iteration. */
#ifndef NABLA_PLAN_ONCE_H
#define NABLA_PLAN_ONCE_H

#include "plan/plan.h"

/* Where a loop nest keeps a value that does not change in its outer loops, or where a later loop
 * keeps the values that one before it computes too, each is kept once. True where something was
 * found: the linear program has changed, and the plan is to be made again. */
bool nb_once(const NbPlan *plan);

#endif

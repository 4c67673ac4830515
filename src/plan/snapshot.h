// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of arrays, in place of the values that a loop reads from them one by one. */
#ifndef NABLA_PLAN_SNAPSHOT_H
#define NABLA_PLAN_SNAPSHOT_H

#include "plan/plan.h"

/* Where a loop keeps more values than it reads places (u[i] and u[i + 1]; a[j] again and again),
 * the places are copied when the loop is entered, and the reverse sweep reads the copy. True where
 * something was found: the linear program has changed, and the plan is to be made again. */
bool nb_snapshot(const NbPlan *plan);

#endif

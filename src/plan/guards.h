// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A trip count is meaningful only where the loop is entered: rotated loops are guarded by a test of
 * their bound. To use the count outside of the guard, the guard must be known there too. */
#ifndef NABLA_PLAN_GUARDS_H
#define NABLA_PLAN_GUARDS_H

#include "plan/plan.h"

/* Are the trip counts of `loop` and of all loops between it and `outer`, and all conditions on the
 * way from the header of `outer` to `loop`, known before `outer` is entered, and at the end of
 * `site` (NULL: no matter)? */
bool nb_guards_known(const NbPlan *plan, const NbWorkLoop *loop, const NbWorkLoop *outer,
                     LLVMBasicBlockRef site);
/* The instances of `loop`'s header for one instance of `outer`'s; 0 where the guards keep it from
 * being entered. Written at the builder, where they are known. */
LLVMValueRef nb_guarded_trips(const NbPlan *plan, LLVMBuilderRef builder, const NbWorkLoop *loop);

#endif

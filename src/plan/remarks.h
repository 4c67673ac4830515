// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What -Rpass=nabla says of the tape. */
#ifndef NABLA_PLAN_REMARKS_H
#define NABLA_PLAN_REMARKS_H

#include "plan/plan.h"

/* A remark for each value that is kept: its bytes, why it cannot be had in the reverse sweep in
 * another way, and what the user could write so that it could. */
void nb_plan_remark(const NbPlan *plan);
/* Why the value, which is kept, cannot be had in another way. */
const char *nb_plan_reason(const NbPlan *plan, LLVMValueRef value);

#endif

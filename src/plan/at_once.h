// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Calls whose derivative runs in one piece. Where the callee does nothing but compute its result,
 * which the forward sweep does not need, and what it reads is still the same in the reverse sweep,
 * both of its sweeps run there, one behind the other: nothing of it is kept in between, and the
 * forward sweep does not run it. */
#ifndef NABLA_PLAN_AT_ONCE_H
#define NABLA_PLAN_AT_ONCE_H

#include "plan/plan.h"

/* Marks all calls that may be so, and whose callee keeps much (NbStatement.at_once). */
void nb_at_once_propose(NbLinear *linear);
/* Takes the mark from those whose result the forward sweep needs, by the plan; true where there
 * were any, and the plan is to be made anew. */
bool nb_at_once_settle(const NbPlan *plan);
/* Does the tape grow with a loop or a recursion, or hold large arrays? */
bool nb_at_once_grows(const NbPlan *plan);

#endif

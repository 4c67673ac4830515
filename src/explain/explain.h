// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What the stages found, as records for people (base/records.h). Nothing here changes anything, and
 * nothing is done where no record is wanted. */
#ifndef NABLA_EXPLAIN_H
#define NABLA_EXPLAIN_H

#include "plan/plan.h"

/* A derivative begins, and is made or refused. */
void nb_explain_begin(const NbContext *context, const NbDerivative *derivative);
void nb_explain_end(const NbContext *context, const NbDerivative *derivative);
/* That `first`, and those after it, were refused is no matter: something else was made instead. */
void nb_explain_withdraw(const NbContext *context, const NbDerivative *first);
/* The user's call, of whose derivative there will be records. */
void nb_explain_request(const NbContext *context, LLVMValueRef call, LLVMValueRef function,
                        const char *entry);
/* The linear program, of forward mode or of a checkpointed loop; the calls. */
void nb_explain_linear(const NbDerivative *derivative, const NbLinear *linear);
/* The same, and how each value gets to the reverse sweep. To be called before anything is emitted.
 */
void nb_explain_plan(const NbDerivative *derivative, const NbPlan *plan);

/* A value as a C programmer would write it: by its name in the source, or as an expression of
 * values that have one, cut off where it would grow long. `linear` tells shadows. */
const char *nb_explain_value(const NbLinear *linear, LLVMValueRef value);
/* What lies at the address, likewise; of a shadow address, what lies at the primal's. `whole`: it
 * may be all of a variable. */
const char *nb_explain_memory(const NbLinear *linear, LLVMValueRef pointer, bool whole);
/* Is it a call of nabla's runtime? */
bool nb_explain_is_own_call(LLVMValueRef call);
/* The loops, and what is kept in them, computed again and read again, of derivative `number`. */
void nb_explain_kept(const char *number, const NbPlan *plan);
/* -Rpass=nabla: the same, to be called when it is known whether there will be two versions, and
 * before anything is emitted. */
void nb_explain_remarks(const NbDerivative *derivative, const NbPlan *plan);

#endif

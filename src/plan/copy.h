// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Copies of what loads of the primal read, made in the forward sweep, which the reverse sweep reads
 * instead of keeping each value. */
#ifndef NABLA_PLAN_COPY_H
#define NABLA_PLAN_COPY_H

#include "plan/plan.h"

/* What the address is computed from by getelementptr; NULL where that is a vector of pointers. */
LLVMValueRef nb_copy_array(LLVMValueRef pointer);
/* Memory for a copy of `count` times `bytes` bytes, which the reverse sweep frees where it comes
 * back there. */
LLVMValueRef nb_copy_allocate(NbLinear *linear, LLVMBuilderRef builder, LLVMValueRef count,
                              uint64_t bytes);
/* The reverse sweep may read again what `load` reads: at the same distance from `base` as it is
 * from its array, where `align` is known of the address. */
void nb_copy_read(NbLinear *linear, LLVMValueRef load, LLVMValueRef base, unsigned align);
/* Copies whole objects (plan/whole.c). Returns true where there are any: the plan is to be made
 * anew. */
bool nb_copy_objects(const NbPlan *plan);

#endif

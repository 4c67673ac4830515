// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Tangents and adjoints in shadow memory. */
#ifndef NABLA_EMIT_ACCESS_H
#define NABLA_EMIT_ACCESS_H

#include "linear/linear.h"

/* What a LOAD, STORE or ADD reads and writes: `addresses` are its own, as they are known where the
 * builder stands. */
LLVMValueRef nb_shadow_load(const NbLinear *linear, LLVMBuilderRef builder,
                            const NbStatement *statement, const LLVMValueRef *addresses);
void nb_shadow_store(const NbLinear *linear, LLVMBuilderRef builder, const NbStatement *statement,
                     const LLVMValueRef *addresses, LLVMValueRef tangent);
/* The sum of two adjoints; where the second is zero, the bits of the first. */
LLVMValueRef nb_sum_but_for_zero(LLVMBuilderRef builder, LLVMValueRef shadow, LLVMValueRef adjoint);
/* Adds to what a LOAD reads, but for zeros: what is no number there keeps its bits, which the sum
 * would lose where denormal numbers count as zero. */
void nb_shadow_add(const NbLinear *linear, LLVMBuilderRef builder, const NbStatement *statement,
                   const LLVMValueRef *addresses, LLVMValueRef adjoint);

#endif

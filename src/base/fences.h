// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Fences that hide from the optimiser what a float is computed from: calls of
 * `llvm.arithmetic.fence` with a mark of ours. */
#ifndef NABLA_BASE_FENCES_H
#define NABLA_BASE_FENCES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#define NB_FENCE_INTRINSIC "llvm.arithmetic.fence." /* and the type */
/* Around what the user compares for equality: request/equalities.c. */
#define NB_FENCE_EQUALITY "nabla.equality"
/* Around the choice between a product of ours and zero, where its factors are zero: it is
 * differentiated as a product everywhere (linear/speculated.c). */
#define NB_FENCE_PRODUCT "nabla.product"

LLVMValueRef nb_fence_build(LLVMBuilderRef builder, LLVMValueRef value, const char *mark);
bool nb_fence_is(LLVMValueRef value, const char *mark);
/* What it hides takes its place. */
void nb_fence_drop(LLVMValueRef fence);

#endif

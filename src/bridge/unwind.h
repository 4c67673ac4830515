// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Part of the bridge: invokes as calls, and calls as invokes. */
#ifndef NABLA_BRIDGE_UNWIND_H
#define NABLA_BRIDGE_UNWIND_H

#include <llvm-c/Core.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* May the instruction end in an exception? */
bool nb_call_may_throw(LLVMValueRef instruction);
/* A call right before the invoke that is the same but for what follows it. */
LLVMValueRef nb_call_like_invoke(LLVMValueRef invoke);
/* The call, which dies, becomes an invoke: it ends its block, what stood behind it gets a block of
 * its own, and exceptions go to the block `pad`. */
void nb_call_becomes_invoke(LLVMValueRef call, LLVMBasicBlockRef pad);

#ifdef __cplusplus
}
#endif
#endif

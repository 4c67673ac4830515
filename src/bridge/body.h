// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Part of the bridge: moving a function's body. */
#ifndef NABLA_BRIDGE_BODY_H
#define NABLA_BRIDGE_BODY_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Moves all blocks of `source` to the empty function `target` of the same module, which has the
 * same parameters. Instructions and blocks keep their identity; `source` becomes a declaration. */
void nb_body_move(LLVMValueRef target, LLVMValueRef source);
/* Moves the blocks alone: what they say of the parameters of `source` stays. */
void nb_body_move_blocks(LLVMValueRef target, LLVMValueRef source);
/* May another definition take the place of this one when the program is linked or loaded? */
bool nb_body_is_interposable(LLVMValueRef global);
/* Replaces the body, whatever state it is in, by one that is never to be entered. */
void nb_body_delete(LLVMValueRef function);
/* What is said about a declaration (attributes, visibility), under its name in no module; for
 * nb_body_forget, which deletes it. */
LLVMValueRef nb_body_said(LLVMValueRef declaration);
/* Makes the function a declaration of what another module defines, about which `said` (NULL:
 * nothing) is known; where that is of another type, it takes the function's place. Returns the
 * declaration. */
LLVMValueRef nb_body_forget(LLVMValueRef function, LLVMValueRef said);
/* Makes what calls the function or takes its address use `held` instead; with `held` NULL it only
 * asks whether something does. Those of aliases, too. What lists functions for us keeps the
 * function. */
bool nb_body_hide(LLVMValueRef function, LLVMValueRef held);

#ifdef __cplusplus
}
#endif
#endif

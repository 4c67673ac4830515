// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Shadows of globals. A mutable global that has a derivative gets a global of nabla's beside it,
 * or the one that the user declared; constants that hold pointers get one with their shadows. */
#ifndef NABLA_LINEAR_GLOBALS_H
#define NABLA_LINEAR_GLOBALS_H

#include "activity/activity.h"
#include "objects/graph.h"

/* Which of a global's shadows. */
typedef struct NbDirection {
  unsigned depth; /* of the request */
  unsigned lane;
  bool forward; /* mode */
} NbDirection;

/* The shadow of a constant pointer: of a global's address, or one computed from it; the constant
 * itself where the global has no shadow (`activity` says so; NULL: every mutable global has one).
 * NULL where it is computed in a way that cannot be followed. */
LLVMValueRef nb_shadow_constant(NbContext *context, NbDirection direction, LLVMValueRef constant,
                                const NbActivity *activity);
/* The depth of a derivative of `function`: derivatives that it makes use of itself, with shadows of
 * globals, are less deep. */
unsigned nb_shadow_depth(NbContext *context, LLVMValueRef function);
/* Before a derivative runs, the shadows of nabla's of all globals that its function or its callees
 * use are zero: what a global held before the call has no derivative. */
void nb_shadow_globals_clear(NbContext *context, LLVMBuilderRef builder, const NbRequest *request);

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Forward mode after the primal: __enzyme_fwdsplit.
 *
 * The primal runs first, as a function that records what the derivative will ask of it; the
 * derivative runs when the primal's memory may hold something else, and reads the record. */
#ifndef NABLA_EMIT_REPLAY_H
#define NABLA_EMIT_REPLAY_H

#include "linear/linear.h"

/* Copies the working copy, before it is linearised, into the empty function `recorded`, and
 * remembers which instruction is which. */
void nb_replay_start(NbWork *work, LLVMValueRef recorded);
/* False where the function cannot be replayed, and is refused. */
bool nb_replay_check(const NbLinear *linear);
/* `call`, of the forward derivative of `callee`, has taken the place of `origin`. */
void nb_replay_note_call(NbWork *work, LLVMValueRef origin, LLVMValueRef call,
                         const NbDerivative *callee);
/* Takes what is the primal's alone out of the forward derivative, which has been emitted, reads the
 * values that it still needs from the record, and writes that in the recorded function. Fills in
 * `tape` and `queued` of the derivative. */
void nb_replay_finish(NbWork *work, NbDerivative *derivative);

#endif

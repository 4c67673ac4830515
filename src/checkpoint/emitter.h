// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What writes the derivatives of a loop function. */
#ifndef NABLA_CHECKPOINT_EMITTER_H
#define NABLA_CHECKPOINT_EMITTER_H

#include "checkpoint/checkpoint.h"

typedef struct NbLoopEmitter {
  NbContext *context;
  NbDerivative *derivative; /* of the loop function */
  const NbLinear *linear;
  const NbCheckpoint *loop;
  NbDerivative *step;
  LLVMValueRef primal; /* the step */
  const NbState *state;
  LLVMBuilderRef builder;
  LLVMValueRef first; /* of the sweeps: the augmented forward, or the forward derivative */
  LLVMTypeRef environment;
  unsigned arguments, shadows; /* how many fields of the environment are which */
  LLVMValueRef run, turn;
} NbLoopEmitter;

/* Calls of what runs a loop to a fixed point: in the sweep, where the builder stands. */
LLVMValueRef nb_fixed_forward(const NbLoopEmitter *emitter, LLVMValueRef regions,
                              LLVMValueRef environment);
void nb_fixed_reverse(const NbLoopEmitter *emitter, LLVMValueRef sweep, LLVMValueRef kept,
                      LLVMValueRef environment);
void nb_fixed_tangent(const NbLoopEmitter *emitter, LLVMValueRef regions, LLVMValueRef environment);
/* Is it known of what steps change what it holds, and does the state have a shadow? False where it
 * was refused. */
bool nb_fixed_check(const NbLoopEmitter *emitter);

#endif

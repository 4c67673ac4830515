// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/within.h"

#include "emit/runtime.h"
#include "objects/graph.h"

#include <string.h>

static const char test[] = "__nabla_within";

/* Is the instruction the test of what the copy moves? */
static bool is_test(LLVMValueRef instruction, const NbCall *what) {
  LLVMValueRef callee = instruction && nb_is_call(instruction) ? nb_callee(instruction) : NULL;
  return callee && strcmp(nb_name(callee), test) == 0 &&
         LLVMGetOperand(instruction, 0) == what->bytes;
}

static void add_test(NbContext *context, LLVMValueRef function, LLVMValueRef call,
                     const NbCall *what) {
  LLVMTypeRef word = LLVMInt64TypeInContext(context->llvm);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef arguments[] = {LLVMBuildIntCast2(builder, what->bytes, word, false, ""),
                              LLVMConstInt(word, what->most, false),
                              nb_runtime_place(context, function, call)};
  nb_runtime_call(context, builder, test, LLVMVoidTypeInContext(context->llvm), arguments, 3);
  LLVMDisposeBuilder(builder);
}

void nb_prepare_bound_copies(NbContext *context, LLVMValueRef primal, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function); at; at = nb_instruction_next(at)) {
    NbCall what = nb_is_call(at) ? nb_call_of(context, at) : (NbCall){.most = NB_UNKNOWN_SIZE};
    bool moves = what.kind == NB_CALL_COPY || what.kind == NB_CALL_FILL;
    if (moves && what.most != NB_UNKNOWN_SIZE && !LLVMIsAConstantInt(what.bytes) &&
        !is_test(LLVMGetPreviousInstruction(at), &what))
      add_test(context, primal, at, &what);
  }
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "request/dispatch.h"

enum { CANDIDATE_LIMIT = 16 };

static bool push_once(NbList *list, void *item) {
  for (unsigned i = 0; i < list->count; i++) {
    if (list->items[i] == item)
      return true;
  }
  if (list->count == CANDIDATE_LIMIT)
    return false;
  nb_list_push(list, item);
  return true;
}

static bool push_arms(NbList *work, LLVMValueRef value) {
  bool phi = LLVMIsAPHINode(value) != NULL;
  if (!phi && !LLVMIsASelectInst(value))
    return false;
  unsigned count = phi ? LLVMCountIncoming(value) : 2;
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef arm = phi ? LLVMGetIncomingValue(value, i) : LLVMGetOperand(value, i + 1);
    if (!push_once(work, arm))
      return false;
  }
  return true;
}

bool nb_candidates(const NbContext *context, LLVMValueRef operand, NbList *candidates) {
  NbList work = nb_list(context->arena);
  nb_list_push(&work, operand);
  for (unsigned i = 0; i < work.count; i++) {
    LLVMValueRef function = nb_resolve_function(context, work.items[i]);
    bool known = function ? push_once(candidates, function) : push_arms(&work, work.items[i]);
    if (!known)
      return false;
  }
  return true;
}

/* Puts a copy of the call that names `function` beside the call, which goes on for the others. */
static LLVMValueRef branch_off(NbContext *context, LLVMValueRef call, unsigned index,
                               LLVMValueRef function) {
  LLVMValueRef operand = LLVMGetOperand(call, index);
  LLVMBasicBlockRef head = LLVMGetInstructionParent(call);
  LLVMBasicBlockRef other = nb_split_block(call, "");
  LLVMBasicBlockRef join = nb_split_block(LLVMGetNextInstruction(call), "");
  LLVMBasicBlockRef beside = LLVMInsertBasicBlockInContext(context->llvm, other, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(head));
  LLVMValueRef same = LLVMBuildICmp(builder, LLVMIntEQ, operand, function, "");
  LLVMBuildCondBr(builder, same, beside, other);
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
  LLVMPositionBuilderAtEnd(builder, beside);
  LLVMValueRef copy = LLVMInstructionClone(call);
  LLVMInsertIntoBuilder(builder, copy);
  LLVMSetOperand(copy, index, function);
  LLVMBuildBr(builder, join);
  if (LLVMGetFirstUse(call)) {
    LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, LLVMGetFirstInstruction(join));
    LLVMValueRef phi = LLVMBuildPhi(builder, LLVMTypeOf(call), "");
    LLVMReplaceAllUsesWith(call, phi);
    LLVMValueRef values[] = {copy, call};
    LLVMBasicBlockRef blocks[] = {beside, other};
    LLVMAddIncoming(phi, values, blocks, 2);
  }
  LLVMDisposeBuilder(builder);
  return copy;
}

void nb_dispatch(NbContext *context, LLVMValueRef call, unsigned index, const NbList *candidates,
                 NbList *calls) {
  for (unsigned i = 0; i + 1 < candidates->count; i++)
    nb_list_push(calls, branch_off(context, call, index, candidates->items[i]));
  LLVMSetOperand(call, index, candidates->items[candidates->count - 1]);
  nb_list_push(calls, call);
}

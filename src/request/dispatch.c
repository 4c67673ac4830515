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

/* The block behind the call, of its own, in which both ways meet. */
static LLVMBasicBlockRef make_join(LLVMValueRef call) {
  if (LLVMIsAInvokeInst(call))
    return LLVMGetInstructionParent(nb_call_next(call));
  return nb_split_block(LLVMGetNextInstruction(call), "");
}

/* What the handler's phis say of the invoke they say of its copy. */
static void unwind_alike(LLVMValueRef invoke, LLVMBasicBlockRef beside) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(invoke);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetUnwindDest(invoke)); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi))
    for (unsigned i = 0, count = LLVMCountIncoming(phi); i < count; i++) {
      LLVMValueRef value = LLVMGetIncomingValue(phi, i);
      if (LLVMGetIncomingBlock(phi, i) == block)
        LLVMAddIncoming(phi, &value, &beside, 1);
    }
}

/* Puts a copy of the call that names `function` beside the call, which goes on for the others. */
static LLVMValueRef branch_off(NbContext *context, LLVMValueRef call, unsigned index,
                               LLVMValueRef function) {
  LLVMValueRef operand = LLVMGetOperand(call, index);
  LLVMBasicBlockRef head = LLVMGetInstructionParent(call);
  LLVMBasicBlockRef other = nb_split_block(call, "");
  LLVMBasicBlockRef join = make_join(call);
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
  if (LLVMIsAInvokeInst(call))
    unwind_alike(call, beside);
  else
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

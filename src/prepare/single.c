// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/single.h"

bool nb_single_leads_on(LLVMValueRef inst) {
  for (LLVMUseRef use = LLVMGetFirstUse(inst); use; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(inst))
      return false;
  return LLVMIsAPHINode(inst) || LLVMIsAGetElementPtrInst(inst) || LLVMIsABinaryOperator(inst) ||
         LLVMIsACmpInst(inst) || LLVMIsACastInst(inst) || LLVMIsATerminatorInst(inst);
}

bool nb_single_repeats(LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  return LLVMIsABranchInst(last) && LLVMGetNumSuccessors(last) == 2 &&
         (LLVMGetSuccessor(last, 0) == block) != (LLVMGetSuccessor(last, 1) == block);
}

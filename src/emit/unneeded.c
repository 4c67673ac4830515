// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Arguments whose primal memory the caller does not need (enzyme_dupnoneed): the stores into it go,
 * so that the pointer may be null. */
#include "emit/emit.h"

static bool writes_only(const NbLinear *linear, LLVMValueRef inst) {
  if (LLVMIsAStoreInst(inst))
    return nb_linear_is_unneeded(linear, LLVMGetOperand(inst, 1));
  const NbRule *rule =
      LLVMIsACallInst(inst) ? nb_rule_of_call(linear->work->context, inst, NULL) : NULL;
  bool moves = rule && (rule->kind == NB_RULE_COPY || rule->kind == NB_RULE_FILL);
  return moves && nb_linear_is_unneeded(linear, LLVMGetOperand(inst, rule->operands[0]));
}

void nb_emit_drop_unneeded(const NbLinear *linear, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block), next; inst; inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (writes_only(linear, inst) && !LLVMGetFirstUse(inst))
        LLVMInstructionEraseFromParent(inst);
    }
}

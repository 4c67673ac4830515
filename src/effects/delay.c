// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "effects/delay.h"

static const NbRule *row_of(const NbWork *work, LLVMValueRef inst, NbRuleKind kind) {
  const NbRule *rule = LLVMIsACallInst(inst) ? nb_rule_of_call(work->context, inst, NULL) : NULL;
  return rule && rule->kind == kind ? rule : NULL;
}

/* Is it the only call that takes the pointer to free it? */
static bool is_only_free(const NbWork *work, LLVMValueRef allocation, LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(allocation); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool other =
        (user != call && row_of(work, user, NB_RULE_FREE)) || row_of(work, user, NB_RULE_RESIZE);
    if (other || LLVMIsAPHINode(user) || LLVMIsASelectInst(user))
      return false;
  }
  return true;
}

static LLVMValueRef allocation_of(const NbWork *work, LLVMValueRef call) {
  const NbRule *rule = row_of(work, call, NB_RULE_FREE);
  LLVMValueRef pointer = rule ? LLVMGetOperand(call, rule->operands[0]) : NULL;
  if (!pointer || !LLVMIsAInstruction(pointer) || !row_of(work, pointer, NB_RULE_ALLOCATE))
    return NULL;
  const NbWorkBlock *from = nb_work_block_of(work, pointer);
  const NbWorkBlock *to = nb_work_block_of(work, call);
  bool always = !from->loop && !to->loop &&
                nb_block_postdominates(work->context->analyses, to->block, from->block);
  return always && is_only_free(work, pointer, call) ? pointer : NULL;
}

NbMap *nb_delayed_frees(const NbWork *work) {
  NbMap *delayed = nb_map_new(work->context->arena);
  for (unsigned i = 0; i < work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst)) {
      LLVMValueRef allocation = allocation_of(work, inst);
      if (!allocation)
        continue;
      nb_map_set(delayed, inst, allocation);
      nb_map_set(delayed, allocation, inst);
    }
  return delayed;
}

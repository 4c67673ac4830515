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

/* Does every way from one block to the function's return lead through the other? Where the program
 * ends, there is no way back. */
static bool always_comes_to(const NbWork *work, const NbWorkBlock *from, const NbWorkBlock *to) {
  bool *seen = NB_NEW_ARRAY(work->context->arena, bool, work->block_count);
  NbList reached = nb_list(work->context->arena);
  nb_list_push(&reached, (void *)from);
  seen[from->index] = true;
  for (unsigned i = 0; i < reached.count; i++) {
    const NbWorkBlock *at = reached.items[i];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(at->block);
    unsigned count = at == to ? 0 : LLVMGetNumSuccessors(end);
    if (at != to && !count && !LLVMIsAUnreachableInst(end))
      return false;
    for (unsigned s = 0; s < count; s++) {
      NbWorkBlock *next = nb_work_block(work, LLVMGetSuccessor(end, s));
      if (!seen[next->index])
        nb_list_push(&reached, next);
      seen[next->index] = true;
    }
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
  bool always = !from->loop && !to->loop && always_comes_to(work, from, to);
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Memory that is freed where it was allocated, whatever way is taken. Other memory may hold
 * pointers to it (a global that walks over it, say), but none that is followed later. */
#include "linear/build.h"

static bool frees(const NbLinear *linear, LLVMValueRef inst, LLVMValueRef allocation) {
  const NbRule *rule =
      LLVMIsACallInst(inst) ? nb_rule_of_call(linear->work->context, inst, NULL) : NULL;
  return rule && rule->kind == NB_RULE_FREE &&
         LLVMGetOperand(inst, rule->operands[0]) == allocation;
}

/* Is the memory freed in what follows `inst` in its block? */
static bool is_freed_behind(const NbLinear *linear, LLVMValueRef inst, LLVMValueRef allocation) {
  for (; inst; inst = LLVMGetNextInstruction(inst))
    if (frees(linear, inst, allocation))
      return true;
  return false;
}

static bool returns(LLVMBasicBlockRef block) {
  return LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)) != NULL;
}

static void push_successors(NbMap *reached, LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(last, i);
    if (!nb_map_has(reached, next))
      nb_map_set(reached, next, next);
  }
}

bool nb_linear_is_freed(const NbLinear *linear, LLVMValueRef allocation) {
  LLVMBasicBlockRef home = LLVMGetInstructionParent(allocation);
  NbMap *reached = nb_map_new(linear->work->context->arena);
  if (is_freed_behind(linear, allocation, allocation))
    return true;
  if (returns(home))
    return false;
  push_successors(reached, home);
  for (unsigned i = 0; i < nb_map_count(reached); i++) {
    LLVMBasicBlockRef block = (LLVMBasicBlockRef)nb_map_key(reached, i);
    if (is_freed_behind(linear, LLVMGetFirstInstruction(block), allocation))
      continue;
    if (block == home || returns(block))
      return false;
    push_successors(reached, block);
  }
  return true;
}

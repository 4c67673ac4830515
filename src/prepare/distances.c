// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepare/distances.h"

#include "objects/graph.h"

enum { DEPTH = 3 };

/* Is the integer the address of a pointer, negated? No address of a program is negative. */
static bool is_negated_address(LLVMValueRef integer) {
  return LLVMIsABinaryOperator(integer) && LLVMGetInstructionOpcode(integer) == LLVMSub &&
         LLVMIsNull(LLVMGetOperand(integer, 0)) && LLVMIsAPtrToIntInst(LLVMGetOperand(integer, 1));
}

/* Is the pointer the start of an object that is allocated here, or null? */
static bool is_start(const NbContext *context, LLVMValueRef pointer, unsigned depth) {
  if (LLVMIsAAllocaInst(pointer) || LLVMIsNull(pointer))
    return true;
  if (LLVMIsASelectInst(pointer))
    return depth && is_start(context, LLVMGetOperand(pointer, 1), depth - 1) &&
           is_start(context, LLVMGetOperand(pointer, 2), depth - 1);
  for (unsigned i = 0; LLVMIsAPHINode(pointer) && i < LLVMCountIncoming(pointer); i++)
    if (!depth || !is_start(context, LLVMGetIncomingValue(pointer, i), depth - 1))
      return false;
  const NbRule *rule = nb_is_call(pointer) ? nb_rule_of_call(context, pointer, NULL) : NULL;
  return LLVMIsAPHINode(pointer) || (rule && rule->kind == NB_RULE_ALLOCATE);
}

static bool is_distance_from_start(const NbContext *context, LLVMValueRef inst) {
  return LLVMIsAGetElementPtrInst(inst) && LLVMIsInBounds(inst) && LLVMGetNumOperands(inst) == 2 &&
         is_negated_address(LLVMGetOperand(inst, 1)) &&
         is_start(context, LLVMGetOperand(inst, 0), DEPTH);
}

void nb_prepare_drop_distances(NbContext *context, LLVMValueRef function) {
  for (LLVMValueRef at = nb_instruction_first(function), next; at; at = next) {
    next = nb_instruction_next(at);
    if (!is_distance_from_start(context, at))
      continue;
    LLVMReplaceAllUsesWith(at, LLVMGetOperand(at, 0));
    LLVMInstructionEraseFromParent(at);
  }
}

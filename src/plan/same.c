// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/same.h"

#include "linear/operation.h"

enum { MAX_PAIRS = 64 };

static bool is_within(const NbSame *same, LLVMValueRef value, const NbWorkLoop *loop) {
  return LLVMIsAInstruction(value) &&
         nb_work_loop_contains(loop, nb_work_block_of(same->linear->work, value)->loop);
}

static bool is_outside(const NbSame *same, LLVMValueRef value) {
  return !is_within(same, value, same->one_top) && !is_within(same, value, same->other_top);
}

/* Are two instructions the same, but for their operands? */
static bool is_same_step(const NbSame *same, LLVMValueRef one, LLVMValueRef other) {
  if (!LLVMIsAInstruction(one) || !LLVMIsAInstruction(other) || LLVMIsAPHINode(one) ||
      LLVMIsAShuffleVectorInst(one) || LLVMIsAInsertValueInst(one) ||
      !nb_linear_same_operation(same->linear, one, other))
    return false;
  return !LLVMIsALoadInst(one) || same->same_load(same->data, other);
}

static unsigned operand_count(LLVMValueRef inst) {
  return LLVMIsACallInst(inst) ? LLVMGetNumArgOperands(inst) : (unsigned)LLVMGetNumOperands(inst);
}

/* Values of the other loop are the keys, and their equals in the first what they lead to. */
bool nb_same_values(const NbSame *same, LLVMValueRef one, LLVMValueRef other) {
  NbMap *pairs = nb_map_new(same->linear->work->context->arena);
  nb_map_set(pairs, other, one);
  for (unsigned i = 0; i < nb_map_count(pairs); i++) {
    LLVMValueRef there = (LLVMValueRef)nb_map_key(pairs, i);
    LLVMValueRef here = nb_map_get(pairs, there);
    if (here == there && is_outside(same, here))
      continue;
    if (here == same->one->counter && there == same->other->counter)
      continue;
    if (i >= MAX_PAIRS || !is_same_step(same, here, there) ||
        operand_count(here) != operand_count(there))
      return false;
    for (unsigned k = 0; k < operand_count(there); k++) {
      LLVMValueRef from = LLVMGetOperand(here, k), to = LLVMGetOperand(there, k);
      if (nb_map_has(pairs, to) && nb_map_get(pairs, to) != from)
        return false;
      nb_map_set(pairs, to, from);
    }
  }
  return true;
}

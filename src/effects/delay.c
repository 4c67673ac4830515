// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "effects/delay.h"

#include "base/names.h"
#include "objects/graph.h"

#include <string.h>

enum { MOST_BLOCKS = 16 /* between a landing and the end */ };

static const NbRule *row_of(const NbWork *work, LLVMValueRef inst, NbRuleKind kind) {
  const NbRule *rule = LLVMIsACallInst(inst) ? nb_rule_of_call(work->context, inst, NULL) : NULL;
  return rule && rule->kind == kind ? rule : NULL;
}

static bool is_freed_by(const NbWork *work, LLVMValueRef allocation, LLVMValueRef call) {
  const NbRule *rule = row_of(work, call, NB_RULE_FREE);
  return rule && LLVMGetOperand(call, rule->operands[0]) == allocation;
}

/* Does an exception leave the function there? Then there is no reverse. */
static bool is_left_by_exception(LLVMBasicBlockRef block) {
  return LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block)) == LLVMResume;
}

/* Do all ways from the block on lead out of the function by an exception? */
static bool always_throws(LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < MOST_BLOCKS && !is_left_by_exception(block); i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetNumSuccessors(end) != 1)
      return false;
    block = LLVMGetSuccessor(end, 0);
  }
  return is_left_by_exception(block);
}

/* Is it the only call that takes the pointer to free it, but for those on the way of an exception
 * out of the function? */
static bool is_only_free(const NbWork *work, LLVMValueRef allocation, LLVMValueRef call) {
  for (LLVMUseRef use = LLVMGetFirstUse(allocation); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool other = user != call && is_freed_by(work, allocation, user) &&
                 !always_throws(LLVMGetInstructionParent(user));
    if (other || row_of(work, user, NB_RULE_RESIZE) || LLVMIsAPHINode(user) ||
        LLVMIsASelectInst(user))
      return false;
  }
  return true;
}

/* Does the function of the runtime's tell the program that memory ends? */
static bool tells_of_memory(LLVMValueRef function) {
  for (LLVMValueRef at = function ? nb_instruction_first(function) : NULL; at;
       at = nb_instruction_next(at)) {
    LLVMValueRef callee = LLVMIsACallInst(at) ? nb_callee(at) : NULL;
    if (callee && strcmp(nb_name(callee), NB_OWN_PREFIX "out_of_memory") == 0)
      return true;
  }
  return false;
}

/* Is there a call before the end of the block that may end the program? Derivatives end it where
 * memory does; theirs is freed early. */
static bool calls_last(LLVMValueRef end) {
  LLVMValueRef last = LLVMGetPreviousInstruction(end);
  return last && LLVMIsACallInst(last) && !tells_of_memory(nb_callee(last));
}

/* Does a call end the program there, or in all blocks that go on to there? What never happens, as
 * some case of a switch, ends nothing. */
static bool ends_program(LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (!LLVMIsAUnreachableInst(end) || LLVMGetFirstInstruction(block) != end)
    return LLVMIsAUnreachableInst(end) && calls_last(end);
  LLVMValueRef label = LLVMBasicBlockAsValue(block);
  for (LLVMUseRef use = LLVMGetFirstUse(label); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef before = LLVMGetUser(use);
    if (!LLVMIsABranchInst(before) || LLVMIsConditional(before) || !calls_last(before))
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
    if (at != to && !count && !ends_program(at->block) && !is_left_by_exception(at->block))
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
  const NbRule *maker =
      pointer && LLVMIsAInstruction(pointer) ? row_of(work, pointer, NB_RULE_ALLOCATE) : NULL;
  if (!maker || maker->handed_count)
    return NULL;
  const NbWorkBlock *from = nb_work_block_of(work, pointer);
  const NbWorkBlock *to = nb_work_block_of(work, call);
  bool always = !from->loop && !to->loop && always_comes_to(work, from, to);
  return always && is_only_free(work, pointer, call) ? pointer : NULL;
}

NbMap *nb_delayed_frees(const NbWork *work) {
  NbMap *delayed = nb_map_new(work->context->arena);
  if (nb_without(work->context, NB_OPTIMISATION_DELAY))
    return delayed;
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

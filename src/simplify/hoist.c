// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Coefficients leave the loops in which they do not change, so that they are computed, and stored
 * where they must be, once for each time the loop is entered. What costs more than a few
 * multiplications leaves only a loop that computes it in each iteration. */
#include "simplify/steps.h"

static bool is_dear(LLVMValueRef inst) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
  return opcode == LLVMCall || opcode == LLVMFDiv;
}

static bool changes_in(const NbWork *work, LLVMValueRef inst, const NbWorkLoop *loop) {
  for (unsigned i = 0; i < nb_simplify_operand_count(inst); i++) {
    LLVMValueRef operand = LLVMGetOperand(inst, i);
    if (LLVMIsAInstruction(operand) &&
        nb_work_loop_contains(loop, nb_work_block_of(work, operand)->loop))
      return true;
  }
  return false;
}

/* The outermost loop that the instruction may leave; NULL where there is none. */
static const NbWorkLoop *loop_to_leave(const NbWork *work, LLVMValueRef inst) {
  const NbWorkLoop *left = NULL;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(inst);
  for (const NbWorkLoop *loop = nb_work_block_of(work, inst)->loop; loop; loop = loop->parent) {
    bool always = nb_block_dominates(work->context->analyses, block, loop->latch);
    if (changes_in(work, inst, loop) || (is_dear(inst) && !always))
      break;
    left = loop;
    block = loop->preheader;
  }
  return left;
}

static void hoist(const NbLinear *linear, LLVMValueRef inst) {
  const NbWorkLoop *loop = loop_to_leave(linear->work, inst);
  if (!loop)
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(linear->work->context->llvm);
  LLVMInstructionRemoveFromParent(inst);
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(loop->preheader));
  LLVMInsertIntoBuilderWithName(builder, inst, nb_name(inst));
  LLVMDisposeBuilder(builder);
}

void nb_simplify_hoist(NbLinear *linear) {
  const NbWork *work = linear->work;
  for (unsigned i = 0; i < work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block), next; inst;
         inst = next) {
      next = LLVMGetNextInstruction(inst);
      if (nb_simplify_is_coefficient(linear, inst))
        hoist(linear, inst);
    }
}

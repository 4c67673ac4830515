// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emit/path.h"

static bool is_number(LLVMValueRef value) { return nb_type_has_float(LLVMTypeOf(value)); }

/* --- Branches that choose numbers alone ------------------------------------------------------- */

typedef struct Ways {
  const NbLinear *linear;
  LLVMBasicBlockRef from;
  NbList blocks; /* between the branch and where its ways meet */
  NbMap *joins;  /* and those blocks in which some of them do */
} Ways;

/* Nothing that is seen from outside, and no input, whose column would not be known. */
static bool computes_numbers(const Ways *ways, LLVMValueRef inst) {
  const NbLinear *linear = ways->linear;
  if (LLVMIsAPHINode(inst))
    return is_number(inst);
  if (LLVMIsALoadInst(inst))
    return !nb_map_has(linear->inputs, LLVMGetOperand(inst, 0)) &&
           !nb_linear_is_interleaved(linear, LLVMGetOperand(inst, 0));
  if (LLVMIsACallInst(inst))
    return nb_linear_is_pure_call(linear, inst);
  return LLVMIsABranchInst(inst) || LLVMIsASwitchInst(inst) ||
         (!LLVMIsATerminatorInst(inst) && !LLVMIsAStoreInst(inst) && !LLVMIsAAllocaInst(inst) &&
          !LLVMIsAFenceInst(inst) && !LLVMIsAAtomicRMWInst(inst) &&
          !LLVMIsAAtomicCmpXchgInst(inst));
}

static bool block_computes_numbers(const Ways *ways, LLVMBasicBlockRef block) {
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
       inst = LLVMGetNextInstruction(inst))
    if (nb_map_has(ways->linear->following, inst) && !computes_numbers(ways, inst))
      return false;
  return true;
}

static bool joins_numbers(const Ways *ways, LLVMBasicBlockRef block) {
  for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst && LLVMIsAPHINode(inst);
       inst = LLVMGetNextInstruction(inst))
    if (nb_map_has(ways->linear->following, inst) && !is_number(inst))
      return false;
  return true;
}

/* Is the block within the loop of the branch, and not the beginning of one? */
static bool is_in_loop(const Ways *ways, LLVMBasicBlockRef block) {
  const NbWork *work = ways->linear->work;
  const NbWorkBlock *here = nb_work_block(work, block), *there = nb_work_block(work, ways->from);
  return here && there && here->loop == there->loop && !(here->loop && here->loop->header == block);
}

/* Goes on to the blocks behind `block`. */
static void follow(Ways *ways, NbMap *seen, LLVMBasicBlockRef block) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  NbAnalyses *analyses = ways->linear->work->context->analyses;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(last, i);
    nb_map_set(ways->joins, next, next);
    if (nb_map_has(seen, next) || nb_block_postdominates(analyses, next, ways->from))
      continue;
    nb_map_set(seen, next, next);
    nb_list_push(&ways->blocks, next);
  }
}

static bool branch_chooses_numbers(const NbLinear *linear, LLVMValueRef branch, NbMap *joins) {
  NbArena *arena = linear->work->context->arena;
  NbMap *seen = nb_map_new(arena);
  Ways ways = {linear, LLVMGetInstructionParent(branch), nb_list(arena), nb_map_new(arena)};
  follow(&ways, seen, ways.from);
  for (unsigned i = 0; i < ways.blocks.count; i++) {
    LLVMBasicBlockRef block = ways.blocks.items[i];
    if (!is_in_loop(&ways, block) || !block_computes_numbers(&ways, block))
      return false;
    follow(&ways, seen, block);
  }
  for (unsigned i = 0; i < nb_map_count(ways.joins); i++) {
    LLVMBasicBlockRef block = (LLVMBasicBlockRef)nb_map_key(ways.joins, i);
    if (!is_in_loop(&ways, block) || !joins_numbers(&ways, block))
      return false;
    nb_map_set(joins, block, block);
  }
  return true;
}

/* --- Instructions ----------------------------------------------------------------------------- */

/* Does a comparison of numbers do no more than to choose between numbers? */
static bool chooses_numbers(const NbLinear *linear, LLVMValueRef comparison, NbMap *joins) {
  for (LLVMUseRef use = LLVMGetFirstUse(comparison); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool of_program = nb_map_has(linear->following, user);
    bool chooses = LLVMIsABranchInst(user) ? branch_chooses_numbers(linear, user, joins)
                                           : LLVMIsASelectInst(user) && is_number(user);
    if (of_program && !chooses)
      return false;
  }
  return true;
}

/* Does a call make something else than numbers of numbers? */
static bool leaves_numbers(LLVMValueRef call) {
  bool numbers = false, pointers = false;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
    numbers |= nb_type_has_float(type);
    pointers |= nb_type_has_pointer(type);
  }
  bool number =
      LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind || nb_type_is_real(LLVMTypeOf(call));
  return numbers && (pointers || !number);
}

/* Memory whose shadows lie side by side is read as numbers alone. */
static bool call_keeps_path(const NbLinear *linear, LLVMValueRef call) {
  if (LLVMIsAMemCpyInst(call) || LLVMIsAMemMoveInst(call))
    return nb_linear_is_interleaved(linear, LLVMGetOperand(call, 0)) &&
           nb_linear_is_interleaved(linear, LLVMGetOperand(call, 1));
  return !leaves_numbers(call);
}

static bool keeps_path(const NbLinear *linear, LLVMValueRef inst, NbMap *joins) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMStore:
    return !is_number(LLVMGetOperand(inst, 0)) ||
           nb_linear_is_interleaved(linear, LLVMGetOperand(inst, 1));
  case LLVMFCmp:
    return chooses_numbers(linear, inst, joins);
  case LLVMFPToSI:
  case LLVMFPToUI:
  case LLVMInvoke:
    return false;
  case LLVMBitCast:
    return is_number(inst) == is_number(LLVMGetOperand(inst, 0));
  case LLVMCall:
    return call_keeps_path(linear, inst);
  default:
    return true;
  }
}

bool nb_path_is_one(const NbLinear *linear, NbMap *joins) {
  const NbWork *work = linear->work;
  for (unsigned i = 0; i < work->block_count; i++)
    for (LLVMValueRef inst = LLVMGetFirstInstruction(work->blocks[i].block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (nb_map_has(linear->following, inst) && !keeps_path(linear, inst, joins))
        return false;
  return true;
}

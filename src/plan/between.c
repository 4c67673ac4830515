// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/between.h"

#include <stdlib.h>

enum { BUDGET = 1 << 22 };

NbBetween nb_between_new(NbLinear *linear) { return (NbBetween){linear, BUDGET}; }

/* --- Control flow ------------------------------------------------------------------------------
 */

bool nb_between_reaches(NbBetween *between, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                        LLVMBasicBlockRef past) {
  const NbWork *work = between->linear->work;
  NbArena *arena = work->context->arena;
  if (!nb_effects_goes_on(between->linear->effects, nb_work_block(work, from),
                          nb_work_block(work, to)))
    return false;
  if (!past)
    return true;
  NbMap *seen = nb_map_new(arena);
  NbList pending = nb_list(arena);
  nb_list_push(&pending, from);
  while (pending.count) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(pending.items[--pending.count]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor(last, s);
      if (next == past || nb_map_has(seen, next))
        continue;
      if (next == to || between->budget == 0)
        return true;
      between->budget--;
      nb_map_set(seen, next, next);
      nb_list_push(&pending, next);
    }
  }
  return false;
}

bool nb_between_stands(NbBetween *between, LLVMBasicBlockRef site, const NbWorkLoop *loop,
                       LLVMValueRef writer) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(writer);
  LLVMBasicBlockRef past = loop->parent ? loop->parent->header : NULL;
  return nb_between_reaches(between, site, block, past) &&
         nb_between_reaches(between, block, loop->header, past);
}

/* Was the condition decided in this way before control came to the block? */
static bool is_decided(NbAnalyses *analyses, LLVMBasicBlockRef block, LLVMValueRef condition,
                       unsigned side) {
  for (LLVMBasicBlockRef above = nb_block_idom(analyses, block); above;
       above = nb_block_idom(analyses, above)) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
    if (LLVMIsABranchInst(branch) && LLVMIsConditional(branch) &&
        LLVMGetCondition(branch) == condition &&
        nb_edge_dominates(analyses, above, LLVMGetSuccessor(branch, side), block))
      return true;
  }
  return false;
}

/* How control comes from `above`, the immediate dominator, to `below`. */
static bool add_step(const NbBetween *between, LLVMBasicBlockRef above, LLVMBasicBlockRef below,
                     LLVMBasicBlockRef site, NbList *conditions) {
  const NbContext *context = between->linear->work->context;
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
  if (nb_block_postdominates(context->analyses, below, above))
    return true;
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
    return false;
  unsigned side = LLVMGetSuccessor(branch, 0) == below ? 0 : 1;
  if (LLVMGetSuccessor(branch, side) != below)
    return false;
  LLVMValueRef value = LLVMGetCondition(branch);
  if (is_decided(context->analyses, site, value, side))
    return true;
  NbCondition *condition = NB_NEW(context->arena, NbCondition);
  *condition = (NbCondition){value, side == 0};
  nb_list_push(conditions, condition);
  return true;
}

bool nb_between_conditions(const NbBetween *between, LLVMBasicBlockRef site, const NbWorkLoop *loop,
                           NbList *conditions) {
  NbAnalyses *analyses = between->linear->work->context->analyses;
  LLVMBasicBlockRef below = loop->header;
  while (below != site) {
    LLVMBasicBlockRef above = nb_block_idom(analyses, below);
    if (!above || !add_step(between, above, below, site, conditions))
      return false;
    below = above;
  }
  return true;
}

bool nb_between_comes_back(const NbLinear *linear, LLVMValueRef call) {
  const NbRule *rule = nb_rule_of_call(linear->work->context, call, NULL);
  LLVMValueRef callee = nb_callee(call);
  return (rule && !rule->noreturn) || (callee && LLVMGetIntrinsicID(callee));
}

/* --- Loops that overwrite what they read -------------------------------------------------------
 */

static const NbWorkLoop *loop_of(const NbWork *work, LLVMValueRef inst) {
  return nb_work_block_of(work, inst)->loop;
}

static bool is_same_element(const NbWork *work, LLVMValueRef store, LLVMValueRef load) {
  NbAnalyses *analyses = work->context->analyses;
  NbScev *there = nb_scev_of(analyses, work->function, LLVMGetOperand(store, 1));
  NbScev *here = nb_scev_of(analyses, work->function, LLVMGetOperand(load, 0));
  NbLoop *loop = nb_loop_of(analyses, LLVMGetInstructionParent(load));
  int64_t step;
  if (!here || here != there || !nb_scev_is_affine(analyses, here, loop) ||
      !nb_scev_is_constant(nb_scev_step(analyses, here, loop), &step))
    return false;
  uint64_t read = nb_store_size(work->context, LLVMTypeOf(load));
  uint64_t written = nb_store_size(work->context, LLVMTypeOf(LLVMGetOperand(store, 0)));
  return (uint64_t)llabs(step) >= read && (uint64_t)llabs(step) >= written;
}

typedef struct Question {
  const NbWork *work;
  LLVMValueRef load;
} Question;

static bool stands_in_loop(const void *data, LLVMValueRef writer) {
  const Question *question = data;
  return nb_work_loop_contains(loop_of(question->work, question->load),
                               loop_of(question->work, writer));
}

/* Does the writer, of the load's loop, do more than to overwrite behind it, in each iteration, what
 * it read? */
static bool spoils_loop(const void *data, LLVMValueRef writer) {
  const Question *question = data;
  LLVMValueRef load = question->load;
  const NbWorkLoop *own = loop_of(question->work, load);
  NbAnalyses *analyses = question->work->context->analyses;
  return !LLVMIsAStoreInst(writer) || loop_of(question->work, writer) != own ||
         !nb_dominates(analyses, load, writer) || !is_same_element(question->work, writer, load);
}

bool nb_between_overwrites_behind(const NbBetween *between, LLVMValueRef load) {
  const Question question = {between->linear->work, load};
  return !nb_effects_changed_by(between->linear->effects, load, stands_in_loop, spoils_loop,
                                &question);
}

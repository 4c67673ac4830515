// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/between.h"

#include <stdlib.h>

enum { BUDGET = 1 << 22 };

NbBetween nb_between_new(NbLinear *linear) {
  NbArena *arena = linear->work->context->arena;
  return (NbBetween){linear, BUDGET, nb_map_new(arena), nb_map_new(arena)};
}

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

/* The same, remembered: many loops ask before the same block, and many of them for one bound. */
static bool was_decided(const NbBetween *between, LLVMBasicBlockRef block, LLVMValueRef condition,
                        unsigned side) {
  const NbContext *context = between->linear->work->context;
  NbMap *known = nb_map_get(between->decided, block);
  if (!known) {
    known = nb_map_new(context->arena);
    nb_map_set(between->decided, block, known);
  }
  uintptr_t asked = (uintptr_t)1 << side, yes = (uintptr_t)4 << side;
  uintptr_t answers = (uintptr_t)nb_map_get(known, condition);
  if (!(answers & asked)) {
    answers |= asked | (is_decided(context->analyses, block, condition, side) ? yes : 0);
    nb_map_set(known, condition, (void *)answers);
  }
  return (answers & yes) != 0;
}

/* How control comes from the immediate dominator, NULL where there is none, to a block. */
typedef struct Step {
  LLVMBasicBlockRef above;
  bool known;
  LLVMValueRef condition; /* NULL: it always does */
  unsigned side;
} Step;

static Step find_step(NbAnalyses *analyses, LLVMBasicBlockRef below) {
  Step step = {.above = nb_block_idom(analyses, below)};
  if (!step.above)
    return step;
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(step.above);
  step.known = nb_block_postdominates(analyses, below, step.above);
  if (step.known || !LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
    return step;
  step.side = LLVMGetSuccessor(branch, 0) == below ? 0 : 1;
  step.known = LLVMGetSuccessor(branch, step.side) == below;
  step.condition = LLVMGetCondition(branch);
  return step;
}

static const Step *step_to(const NbBetween *between, LLVMBasicBlockRef below) {
  const NbContext *context = between->linear->work->context;
  Step *step = nb_map_get(between->steps, below);
  if (!step) {
    step = NB_NEW(context->arena, Step);
    *step = find_step(context->analyses, below);
    nb_map_set(between->steps, below, step);
  }
  return step;
}

bool nb_between_conditions(const NbBetween *between, LLVMBasicBlockRef site, const NbWorkLoop *loop,
                           NbList *conditions) {
  for (LLVMBasicBlockRef below = loop->header; below != site;) {
    const Step *step = step_to(between, below);
    if (!step->known)
      return false;
    if (step->condition && !was_decided(between, site, step->condition, step->side)) {
      NbCondition *condition = NB_NEW(between->linear->work->context->arena, NbCondition);
      *condition = (NbCondition){step->condition, step->side == 0};
      nb_list_push(conditions, condition);
    }
    below = step->above;
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

static bool stands_in_loop(const void *data, const NbWorkBlock *block) {
  const Question *question = data;
  return nb_work_loop_contains(loop_of(question->work, question->load), block->loop);
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

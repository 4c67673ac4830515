// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/guards.h"

/* Is the value known outside of the loop, at the end of `site`? */
static bool is_known(const NbPlan *plan, LLVMValueRef value, const NbWorkLoop *loop,
                     LLVMBasicBlockRef site) {
  if (!LLVMIsAInstruction(value))
    return true;
  NbAnalyses *analyses = plan->linear->work->context->analyses;
  return !nb_work_loop_contains(loop, nb_work_block_of(plan->linear->work, value)->loop) &&
         (!site || nb_block_dominates(analyses, LLVMGetInstructionParent(value), site));
}

typedef struct Guard {
  LLVMValueRef condition; /* NULL: control comes here anyway */
  bool holds;             /* the value of the condition on the way */
  bool known;             /* is it a two-way branch? */
} Guard;

/* Is the block the one in which a loop that does not contain `below` is left, wherever it is left?
 * Then control comes there once the loop is entered. */
static bool is_only_exit(const NbWork *work, const NbWorkBlock *exit, const NbWorkBlock *below) {
  const NbWorkLoop *loop = exit->loop;
  if (!loop || nb_work_loop_contains(loop, below->loop))
    return false;
  while (loop->parent && !nb_work_loop_contains(loop->parent, below->loop))
    loop = loop->parent;
  for (unsigned i = 0; i < work->block_count; i++) {
    const NbWorkBlock *block = &work->blocks[i];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block->block);
    bool inside = block != exit && nb_work_loop_contains(loop, block->loop);
    for (unsigned s = 0; inside && s < LLVMGetNumSuccessors(last); s++)
      if (!nb_work_loop_contains(loop, nb_work_block(work, LLVMGetSuccessor(last, s))->loop))
        return false;
  }
  return true;
}

/* What the block `above`, which dominates `below`, decides on the way to it. */
static Guard guard_of(const NbPlan *plan, LLVMBasicBlockRef above, LLVMBasicBlockRef below) {
  const NbWork *work = plan->linear->work;
  NbAnalyses *analyses = work->context->analyses;
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
  if (LLVMGetNumSuccessors(branch) <= 1 ||
      is_only_exit(work, nb_work_block(work, above), nb_work_block(work, below)))
    return (Guard){NULL, true, true};
  if (LLVMGetInstructionOpcode(branch) != LLVMBr)
    return (Guard){NULL, false, false};
  for (unsigned side = 0; side < 2; side++)
    if (nb_edge_dominates(analyses, above, LLVMGetSuccessor(branch, side), below))
      return (Guard){LLVMGetCondition(branch), side == 0, true};
  return (Guard){NULL, true, true};
}

static bool path_known(const NbPlan *plan, const NbWorkLoop *inner, const NbWorkLoop *outer,
                       LLVMBasicBlockRef site) {
  NbAnalyses *analyses = plan->linear->work->context->analyses;
  LLVMBasicBlockRef below = inner->header;
  for (LLVMBasicBlockRef above = nb_block_idom(analyses, below); above;
       above = nb_block_idom(analyses, above)) {
    Guard guard = guard_of(plan, above, inner->preheader);
    if (!guard.known || (guard.condition && !is_known(plan, guard.condition, outer, site)))
      return false;
    if (above == outer->header)
      return true;
  }
  return false;
}

bool nb_guards_known(const NbPlan *plan, const NbWorkLoop *loop, const NbWorkLoop *outer,
                     LLVMBasicBlockRef site) {
  for (const NbWorkLoop *inner = loop; inner != outer; inner = inner->parent)
    if (!inner->trips || !is_known(plan, inner->trips, outer, site) ||
        !path_known(plan, inner, inner->parent, NULL) || !path_known(plan, loop, outer, site))
      return false;
  return true;
}

static LLVMValueRef guarded(LLVMBuilderRef builder, LLVMValueRef trips, Guard guard) {
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(trips));
  return guard.holds ? LLVMBuildSelect(builder, guard.condition, trips, zero, "")
                     : LLVMBuildSelect(builder, guard.condition, zero, trips, "");
}

LLVMValueRef nb_guarded_trips(const NbPlan *plan, LLVMBuilderRef builder, const NbWorkLoop *loop) {
  NbAnalyses *analyses = plan->linear->work->context->analyses;
  LLVMValueRef trips = loop->trips;
  for (LLVMBasicBlockRef above = nb_block_idom(analyses, loop->header);
       loop->parent && above != loop->parent->header; above = nb_block_idom(analyses, above)) {
    Guard guard = guard_of(plan, above, loop->preheader);
    if (guard.condition)
      trips = guarded(builder, trips, guard);
  }
  if (!loop->parent)
    return trips;
  Guard last = guard_of(plan, loop->parent->header, loop->preheader);
  return last.condition ? guarded(builder, trips, last) : trips;
}

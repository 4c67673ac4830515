// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Where the reverse sweep walks: back through the blocks of the primal, but past those in which it
 * has nothing to do, so that their decisions and trip counts need not be kept. */
#include "plan/plan.h"

static void find_needed(NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  for (unsigned i = 0; i < work->block_count; i++)
    plan->needed[i] = work->blocks[i].returns && plan->linear->blocks[i].first != NULL;
}

static bool has_phi(const NbPlan *plan, const NbWorkBlock *block) {
  const NbStatement *first = plan->linear->blocks[block->index].first;
  return first && first->kind == NB_STATEMENT_PHI;
}

/* The nearest dominator whose loops are all around `block` too. */
static const NbWorkBlock *dominator_outside(const NbWork *work, const NbWorkBlock *block) {
  LLVMBasicBlockRef above = block->block;
  do
    above = nb_block_idom(work->context->analyses, above);
  while (above && !nb_work_loop_contains(nb_work_block(work, above)->loop, block->loop));
  return above ? nb_work_block(work, above) : NULL;
}

static void push_predecessors(const NbWorkBlock *block, NbList *pending, NbMap *seen) {
  for (unsigned i = 0; i < block->count; i++)
    if (!nb_map_has(seen, block->predecessors[i])) {
      nb_map_set(seen, block->predecessors[i], pending);
      nb_list_push(pending, block->predecessors[i]);
    }
}

/* Has no block between `above` and `block` anything to do? */
static bool is_idle_between(const NbPlan *plan, const NbWorkBlock *above,
                            const NbWorkBlock *block) {
  NbArena *arena = plan->linear->work->context->arena;
  NbList pending = nb_list(arena);
  NbMap *seen = nb_map_new(arena);
  nb_map_set(seen, above, &pending);
  push_predecessors(block, &pending, seen);
  for (unsigned next = 0; next < pending.count; next++) {
    NbWorkBlock *between = pending.items[next];
    if (between == block || plan->needed[between->index])
      return false;
    push_predecessors(between, &pending, seen);
  }
  return true;
}

static const NbWorkBlock *find_skip(const NbPlan *plan, const NbWorkBlock *block) {
  const NbContext *context = plan->linear->work->context;
  if (block->count == 0 || has_phi(plan, block) || nb_without(context, NB_OPTIMISATION_SKIP))
    return NULL;
  const NbWorkBlock *above = dominator_outside(plan->linear->work, block);
  return above && is_idle_between(plan, above, block) ? above : NULL;
}

static void visit(NbPlan *plan, NbList *pending, const NbWorkBlock *block) {
  if (plan->visited[block->index])
    return;
  plan->visited[block->index] = true;
  nb_list_push(pending, (void *)block);
}

void nb_plan_walk(NbPlan *plan) {
  const NbWork *work = plan->linear->work;
  NbArena *arena = work->context->arena;
  plan->needed = NB_NEW_ARRAY(arena, bool, work->block_count);
  plan->visited = NB_NEW_ARRAY(arena, bool, work->block_count);
  plan->skip_to = NB_NEW_ARRAY(arena, const NbWorkBlock *, work->block_count);
  find_needed(plan);
  if (!work->return_inst)
    return;
  NbList pending = nb_list(arena);
  visit(plan, &pending, nb_work_block_of(work, work->return_inst));
  for (unsigned next = 0; next < pending.count; next++) {
    const NbWorkBlock *block = pending.items[next];
    const NbWorkBlock *skip = find_skip(plan, block);
    plan->skip_to[block->index] = skip;
    if (skip)
      visit(plan, &pending, skip);
    for (unsigned i = 0; !skip && i < block->count; i++)
      visit(plan, &pending, block->predecessors[i]);
  }
}

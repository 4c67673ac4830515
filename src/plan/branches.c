// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan/branches.h"

enum { MOST_VISITS = 1 << 20 };

struct NbBranches {
  const NbWork *work;
  NbMap *after; /* block -> bool of all blocks that control may come to from it in the iteration */
  unsigned visits; /* of blocks, so far */
};

NbBranches *nb_branches_new(const NbWork *work) {
  NbBranches *branches = NB_NEW(work->context->arena, NbBranches);
  branches->work = work;
  branches->after = nb_map_new(work->context->arena);
  return branches;
}

static void reach(NbBranches *branches, bool *reached, NbList *pending, LLVMBasicBlockRef from,
                  const NbWorkLoop *loop) {
  LLVMValueRef last = LLVMGetBasicBlockTerminator(from);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
    LLVMBasicBlockRef next = LLVMGetSuccessor(last, i);
    const NbWorkBlock *block = nb_work_block_of(branches->work, LLVMGetBasicBlockTerminator(next));
    if (next == loop->header || !nb_work_loop_contains(loop, block->loop) || reached[block->index])
      continue;
    reached[block->index] = true;
    branches->visits++;
    nb_list_push(pending, next);
  }
}

/* The blocks of the loop behind `block`; NULL where too many have been looked at. */
static const bool *after(NbBranches *branches, const NbWorkBlock *block) {
  NbArena *arena = branches->work->context->arena;
  bool *reached = nb_map_get(branches->after, block);
  if (reached || branches->visits > MOST_VISITS)
    return reached;
  reached = NB_NEW_ARRAY(arena, bool, branches->work->block_count);
  NbList pending = nb_list(arena);
  nb_list_push(&pending, block->block);
  for (unsigned i = 0; i < pending.count; i++)
    reach(branches, reached, &pending, pending.items[i], block->loop);
  branches->visits += branches->work->block_count;
  nb_map_set(branches->after, block, reached);
  return reached;
}

bool nb_branches_exclude(NbBranches *branches, LLVMValueRef one, LLVMValueRef other) {
  const NbWorkBlock *first = nb_work_block_of(branches->work, one);
  const NbWorkBlock *second = nb_work_block_of(branches->work, other);
  if (first == second || first->loop != second->loop || !first->loop)
    return false;
  const bool *behind_first = after(branches, first), *behind_second = after(branches, second);
  return behind_first && behind_second && !behind_first[second->index] &&
         !behind_second[first->index];
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Both addresses move on by the same step in each iteration, at a distance that stays the same. In
 * the load's own iteration and in each later one the store is at least that far ahead of it, in the
 * direction of the steps. These are short: nothing wraps around, for a store half of all memory
 * away would be one of more iterations than ever run. */
#include "effects/ahead.h"

enum { LONGEST_STEP = 4096 };

bool nb_store_is_ahead(const NbWork *work, LLVMValueRef store, LLVMValueRef load) {
  NbAnalyses *analyses = work->context->analyses;
  const NbWorkLoop *loop = nb_work_block_of(work, load)->loop;
  if (!LLVMIsAStoreInst(store) || !loop || loop->parent ||
      nb_work_block_of(work, store)->loop != loop)
    return false;
  NbLoop *natural = nb_loop_of(analyses, loop->header);
  NbScev *read = nb_scev_of(analyses, work->function, LLVMGetOperand(load, 0));
  NbScev *written = nb_scev_of(analyses, work->function, LLVMGetOperand(store, 1));
  int64_t step, other, distance;
  if (!natural || !read || !written || !nb_scev_is_affine(analyses, read, natural) ||
      !nb_scev_is_affine(analyses, written, natural) ||
      !nb_scev_is_constant(nb_scev_step(analyses, read, natural), &step) ||
      !nb_scev_is_constant(nb_scev_step(analyses, written, natural), &other) || step != other ||
      step < -LONGEST_STEP || step > LONGEST_STEP)
    return false;
  NbScev *between = nb_scev_minus(analyses, work->function, written, read);
  if (!between || !nb_scev_is_constant(between, &distance))
    return false;
  int64_t bytes_read = (int64_t)nb_store_size(work->context, LLVMTypeOf(load));
  int64_t bytes_written =
      (int64_t)nb_store_size(work->context, LLVMTypeOf(LLVMGetOperand(store, 0)));
  return (step > 0 && distance >= bytes_read) || (step < 0 && distance <= -bytes_written);
}

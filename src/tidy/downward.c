// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Loops whose accesses the vectoriser has to tell apart when the program runs, in a loop that runs
 * downward, as those of a reverse sweep do.
 *
 * It tests once for all iterations of the loop around them, where it can, and then takes addresses
 * that go down for a failure of the test if their step is known only at run time: the loop would
 * stay scalar, always. Where the counter of the loop around is frozen, no address in the inner loop
 * is seen to go with it, so that the test stands before the inner loop, and takes any order. */
#include "objects/graph.h"
#include "tidy/tidy.h"

enum { MOST_LOOPS = 1024 };

static bool is_innermost(NbLoop *loop, NbLoop **loops, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (nb_loop_parent(loops[i]) == loop)
      return false;
  return true;
}

/* Does the value go down from one iteration of the loop to the next? */
static bool goes_down(NbContext *context, LLVMValueRef value, NbLoop *loop) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  if (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind)
    return false;
  NbScev *scev =
      nb_scev_of(context->analyses, LLVMGetBasicBlockParent(nb_loop_header(loop)), value);
  int64_t step;
  return scev && nb_scev_is_affine(context->analyses, scev, loop) &&
         nb_scev_is_constant(nb_scev_step(context->analyses, scev, loop), &step) && step < 0;
}

/* Does the access go through the inner loop, and by a step that is not known now from one
 * iteration of the outer one to the next? */
static bool is_hoisted(NbContext *context, LLVMValueRef access, NbLoop *inner, NbLoop *outer) {
  NbAnalyses *analyses = context->analyses;
  LLVMValueRef pointer = LLVMIsALoadInst(access)    ? LLVMGetOperand(access, 0)
                         : LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 1)
                                                    : NULL;
  NbScev *scev = pointer ? nb_scev_of(analyses, access, pointer) : NULL;
  if (!scev || !nb_scev_is_affine(analyses, scev, inner))
    return false;
  NbScev *start = nb_scev_start(scev);
  int64_t step;
  return nb_scev_is_affine(analyses, start, outer) &&
         !nb_scev_is_constant(nb_scev_step(analyses, start, outer), &step);
}

static bool has_hoisted(NbContext *context, LLVMValueRef function, NbLoop *inner, NbLoop *outer) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    if (!nb_loop_contains(inner, block))
      continue;
    for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
         inst = LLVMGetNextInstruction(inst))
      if (is_hoisted(context, inst, inner, outer))
        return true;
  }
  return false;
}

/* All but what counts sees the value frozen. */
static void freeze(NbContext *context, LLVMValueRef value, NbLoop *loop, LLVMValueRef before) {
  NbList users = nb_list(context->arena);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    bool counts = LLVMIsAPHINode(user) || LLVMIsAICmpInst(user) || goes_down(context, user, loop) ||
                  !nb_loop_contains(loop, LLVMGetInstructionParent(user));
    if (!counts)
      nb_list_push(&users, user);
  }
  if (!users.count)
    return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context->llvm);
  LLVMPositionBuilderBefore(builder, before);
  LLVMValueRef frozen = LLVMBuildFreeze(builder, value, "");
  LLVMDisposeBuilder(builder);
  for (unsigned i = 0; i < users.count; i++)
    for (int k = 0; k < LLVMGetNumOperands(users.items[i]); k++)
      if (LLVMGetOperand(users.items[i], (unsigned)k) == value)
        LLVMSetOperand(users.items[i], (unsigned)k, frozen);
}

static LLVMValueRef first_after_phis(LLVMBasicBlockRef block) {
  LLVMValueRef inst = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(inst))
    inst = LLVMGetNextInstruction(inst);
  return inst;
}

static void freeze_counters(NbContext *context, NbLoop *loop) {
  NbList phis = nb_list(context->arena);
  LLVMBasicBlockRef header = nb_loop_header(loop), latch = nb_loop_latch(loop);
  for (LLVMValueRef phi = LLVMGetFirstInstruction(header); latch && LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi))
    if (goes_down(context, phi, loop))
      nb_list_push(&phis, phi);
  for (unsigned i = 0; i < phis.count; i++) {
    LLVMValueRef phi = phis.items[i];
    bool first = LLVMGetIncomingBlock(phi, 0) == latch;
    LLVMValueRef next = LLVMGetIncomingValue(phi, first ? 0 : 1);
    freeze(context, phi, loop, first_after_phis(header));
    if (LLVMIsAInstruction(next) && !LLVMIsAPHINode(next))
      freeze(context, next, loop, LLVMGetNextInstruction(next));
  }
}

void nb_tidy_keep_tests_inside(NbContext *context, LLVMValueRef function) {
  nb_analyses_forget(context->analyses, function);
  unsigned count = nb_loops(context->analyses, function, NULL, 0);
  if (count > MOST_LOOPS || nb_without(context, NB_OPTIMISATION_INSIDE))
    return;
  NbLoop **loops = NB_NEW_ARRAY(context->arena, NbLoop *, count + 1);
  nb_loops(context->analyses, function, loops, count);
  NbMap *outer = nb_map_new(context->arena);
  for (unsigned i = 0; i < count; i++) {
    NbLoop *parent = nb_loop_parent(loops[i]);
    if (parent && !nb_map_has(outer, parent) && is_innermost(loops[i], loops, count) &&
        has_hoisted(context, function, loops[i], parent))
      nb_map_set(outer, parent, parent);
  }
  for (unsigned i = 0; i < nb_map_count(outer); i++)
    freeze_counters(context, (NbLoop *)nb_map_key(outer, i));
  nb_analyses_forget(context->analyses, function);
}

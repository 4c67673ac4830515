// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* The control flow of a working copy, as the reverse sweep will need it: blocks and loops, and as
 * values the counters, trip counts, counts at exits and decisions at joins.
 *
 * A recurrence that is affine in its loop is rewritten as an expression of the loop's counter, so
 * that the reverse sweep, which counts down, can compute it where it stands; one that carries what
 * was loaded is loaded again. */
#include "base/names.h"
#include "prepare/carried.h"
#include "prepare/unwind.h"

#include <string.h>

static LLVMTypeRef count_type(const NbWork *work) {
  return LLVMInt64TypeInContext(work->context->llvm);
}

LLVMValueRef nb_work_first_after_phis(LLVMBasicBlockRef block) {
  LLVMValueRef inst = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(inst))
    inst = LLVMGetNextInstruction(inst);
  return inst;
}

LLVMValueRef nb_work_place_after_phis(LLVMBasicBlockRef block) {
  LLVMValueRef inst = nb_work_first_after_phis(block);
  return LLVMIsALandingPadInst(inst) ? LLVMGetNextInstruction(inst) : inst;
}

static LLVMBuilderRef builder_before(const NbWork *work, LLVMValueRef inst) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(work->context->llvm);
  LLVMPositionBuilderBeforeInstrAndDbgRecords(builder, inst);
  return builder;
}

/* --- Blocks ------------------------------------------------------------------------------- */

typedef struct Visit {
  LLVMBasicBlockRef block;
  unsigned next;
} Visit;

/* Postorder without recursion, written from the end of `order`; returns how many were found. */
static unsigned depth_first(const NbWork *work, LLVMBasicBlockRef *order, unsigned total) {
  NbArena *arena = work->context->arena;
  NbMap *seen = nb_map_new(arena);
  Visit *stack = NB_NEW_ARRAY(arena, Visit, total + 1);
  unsigned depth = 1, found = 0;
  stack[0] = (Visit){LLVMGetEntryBasicBlock(work->function), 0};
  nb_map_set(seen, stack[0].block, stack);
  while (depth > 0) {
    Visit *top = &stack[depth - 1];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(top->block);
    if (top->next == LLVMGetNumSuccessors(last)) {
      order[total - ++found] = top->block;
      depth--;
      continue;
    }
    LLVMBasicBlockRef next = LLVMGetSuccessor(last, top->next++);
    if (!nb_map_has(seen, next)) {
      nb_map_set(seen, next, stack);
      stack[depth++] = (Visit){next, 0};
    }
  }
  return found;
}

static void add_predecessor(NbArena *arena, NbWorkBlock *block, NbWorkBlock *predecessor) {
  for (unsigned i = 0; i < block->count; i++)
    if (block->predecessors[i] == predecessor)
      return;
  NbWorkBlock **grown = NB_NEW_ARRAY(arena, NbWorkBlock *, block->count + 1);
  if (block->count)
    memcpy(grown, block->predecessors, block->count * sizeof *grown);
  grown[block->count++] = predecessor;
  block->predecessors = grown;
}

static void link_predecessors(NbWork *work) {
  for (unsigned i = 0; i < work->block_count; i++) {
    NbWorkBlock *block = &work->blocks[i];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block->block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
      add_predecessor(work->context->arena, nb_work_block(work, LLVMGetSuccessor(last, s)), block);
    if (LLVMGetInstructionOpcode(last) == LLVMRet)
      work->return_inst = last;
  }
}

static void mark_returning(NbWork *work) {
  if (!work->return_inst)
    return;
  NbList pending = nb_list(work->context->arena);
  nb_list_push(&pending, nb_work_block_of(work, work->return_inst));
  nb_work_block_of(work, work->return_inst)->returns = true;
  for (unsigned next = 0; next < pending.count; next++) {
    NbWorkBlock *block = pending.items[next];
    for (unsigned i = 0; i < block->count; i++)
      if (!block->predecessors[i]->returns) {
        block->predecessors[i]->returns = true;
        nb_list_push(&pending, block->predecessors[i]);
      }
  }
}

static void find_blocks(NbWork *work) {
  NbArena *arena = work->context->arena;
  unsigned total = LLVMCountBasicBlocks(work->function);
  LLVMBasicBlockRef *order = NB_NEW_ARRAY(arena, LLVMBasicBlockRef, total);
  work->block_count = depth_first(work, order, total);
  order += total - work->block_count;
  work->blocks = NB_NEW_ARRAY(arena, NbWorkBlock, work->block_count);
  work->block_of = nb_map_new(arena);
  for (unsigned i = 0; i < work->block_count; i++) {
    work->blocks[i].block = order[i];
    work->blocks[i].index = i;
    nb_map_set(work->block_of, order[i], &work->blocks[i]);
  }
  link_predecessors(work);
  mark_returning(work);
}

/* --- Loops -------------------------------------------------------------------------------- */

static NbLoop **find_loops(NbWork *work) {
  NbContext *context = work->context;
  unsigned count = nb_loops(context->analyses, work->function, NULL, 0);
  NbLoop **loops = NB_NEW_ARRAY(context->arena, NbLoop *, count + 1);
  nb_loops(context->analyses, work->function, loops, count);
  work->loops = NB_NEW_ARRAY(context->arena, NbWorkLoop, count + 1);
  NbMap *by_header = nb_map_new(context->arena);
  for (unsigned i = 0; i < count; i++) {
    NbWorkLoop *loop = &work->loops[work->loop_count++];
    NbLoop *parent = nb_loop_parent(loops[i]);
    *loop = (NbWorkLoop){.header = nb_loop_header(loops[i]),
                         .preheader = nb_loop_preheader(loops[i]),
                         .latch = nb_loop_latch(loops[i]),
                         .depth = nb_loop_depth(loops[i]),
                         .index = i};
    loop->parent = parent ? nb_map_get(by_header, nb_loop_header(parent)) : NULL;
    nb_map_set(by_header, loop->header, loop);
  }
  for (unsigned i = 0; i < work->block_count; i++) {
    NbLoop *inner = nb_loop_of(context->analyses, work->blocks[i].block);
    work->blocks[i].loop = inner ? nb_map_get(by_header, nb_loop_header(inner)) : NULL;
  }
  return loops;
}

/* The counter is the header's first phi: LLVM's expander then takes it as the canonical one. */
static void insert_counter(NbWork *work, NbWorkLoop *loop) {
  LLVMTypeRef type = count_type(work);
  LLVMBuilderRef builder = builder_before(work, LLVMGetFirstInstruction(loop->header));
  loop->counter = LLVMBuildPhi(builder, type, "counter");
  LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(loop->latch));
  LLVMValueRef next =
      LLVMBuildNUWAdd(builder, loop->counter, LLVMConstInt(type, 1, false), "counter.next");
  LLVMValueRef values[] = {LLVMConstInt(type, 0, false), next};
  LLVMBasicBlockRef blocks[] = {loop->preheader, loop->latch};
  LLVMAddIncoming(loop->counter, values, blocks, 2);
  LLVMDisposeBuilder(builder);
}

/* The outermost preheader at which the number of back edges is known. */
static LLVMBasicBlockRef outermost_place(NbWork *work, NbLoop *loop, NbScev *backedges) {
  LLVMBasicBlockRef place = nb_loop_preheader(loop);
  for (NbLoop *outer = nb_loop_parent(loop); outer; outer = nb_loop_parent(outer)) {
    LLVMBasicBlockRef candidate = nb_loop_preheader(outer);
    NbAnalyses *analyses = work->context->analyses;
    if (!candidate || !nb_scev_is_invariant(analyses, backedges, outer) ||
        !nb_scev_safe_to_expand(analyses, backedges, LLVMGetBasicBlockTerminator(candidate)))
      break;
    place = candidate;
  }
  return place;
}

static void insert_trips(NbWork *work, NbLoop *loop, NbWorkLoop *result) {
  NbAnalyses *analyses = work->context->analyses;
  NbScev *backedges = nb_scev_backedges(analyses, loop);
  if (!backedges)
    return;
  LLVMValueRef before = LLVMGetBasicBlockTerminator(outermost_place(work, loop, backedges));
  if (!nb_scev_safe_to_expand(analyses, backedges, before))
    return;
  LLVMValueRef count = nb_scev_expand(analyses, backedges, NULL, before);
  if (LLVMGetTypeKind(LLVMTypeOf(count)) != LLVMIntegerTypeKind ||
      LLVMGetIntTypeWidth(LLVMTypeOf(count)) > 64)
    return;
  LLVMBuilderRef builder = builder_before(work, before);
  count = LLVMBuildIntCast2(builder, count, count_type(work), false, "");
  result->trips = LLVMBuildAdd(builder, count, LLVMConstInt(count_type(work), 1, false), "trips");
  LLVMDisposeBuilder(builder);
}

/* --- Recurrences --------------------------------------------------------------------------- */

typedef struct Rewrite {
  LLVMValueRef phi, value;
  struct Rewrite *next;
} Rewrite;

static bool is_countable(LLVMValueRef phi) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
  return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* start + distance; of a pointer, in bytes. */
static LLVMValueRef moved_from_start(NbWork *work, LLVMBuilderRef builder, const NbWorkLoop *loop,
                                     LLVMValueRef phi, LLVMValueRef distance) {
  unsigned entry = LLVMGetIncomingBlock(phi, 0) == loop->preheader ? 0 : 1;
  LLVMValueRef start = LLVMGetIncomingValue(phi, entry);
  LLVMTypeRef byte = LLVMInt8TypeInContext(work->context->llvm);
  if (LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind)
    return LLVMBuildGEP2(builder, byte, start, &distance, 1, "");
  return LLVMIsNull(start) ? distance : LLVMBuildAdd(builder, start, distance, "");
}

/* counter * step, in the phi's own width. */
static LLVMValueRef grown_evenly(LLVMBuilderRef builder, const NbWorkLoop *loop,
                                 LLVMValueRef step) {
  LLVMValueRef counter = LLVMBuildIntCast2(builder, loop->counter, LLVMTypeOf(step), false, "");
  return LLVMBuildMul(builder, counter, step, "");
}

/* counter * first + counter * (counter - 1) / 2 * change. Of the counter and the one before it one
 * is even, and is halved: (counter >> 1) * ((counter - 1) | 1) is exact. */
static LLVMValueRef grown_as_triangle(NbWork *work, LLVMBuilderRef builder, const NbWorkLoop *loop,
                                      LLVMValueRef first, LLVMValueRef change) {
  LLVMValueRef one = LLVMConstInt(count_type(work), 1, false);
  LLVMValueRef half = LLVMBuildLShr(builder, loop->counter, one, "");
  LLVMValueRef before = LLVMBuildSub(builder, loop->counter, one, "");
  LLVMValueRef pairs = LLVMBuildMul(builder, half, LLVMBuildOr(builder, before, one, ""), "");
  pairs = LLVMBuildIntCast2(builder, pairs, LLVMTypeOf(change), false, "");
  LLVMValueRef bent = LLVMBuildMul(builder, pairs, change, "");
  return LLVMBuildAdd(builder, grown_evenly(builder, loop, first), bent, "");
}

/* What scalar evolution knows of the recurrence, and not of what takes its place. */
static void note_least(NbWork *work, NbScev *scev, LLVMValueRef value) {
  int64_t low, high;
  LLVMContextRef llvm = work->context->llvm;
  if (!LLVMIsABinaryOperator(value) ||
      !nb_scev_range(work->context->analyses, work->function, scev, &low, &high) || low < 0)
    return;
  LLVMValueRef number = LLVMConstInt(LLVMInt64TypeInContext(llvm), (uint64_t)low, true);
  LLVMMetadataRef item = LLVMValueAsMetadata(number);
  LLVMMetadataRef node = LLVMMDNodeInContext2(llvm, &item, 1);
  unsigned kind = LLVMGetMDKindIDInContext(llvm, NB_LEAST_INDEX, strlen(NB_LEAST_INDEX));
  LLVMSetMetadata(value, kind, LLVMMetadataAsValue(llvm, node));
}

/* How far the phi is from its start, in the iteration that the counter says; NULL where that is no
 * expression of the counter. */
static LLVMValueRef distance_of(NbWork *work, LLVMBuilderRef builder, NbLoop *loop,
                                const NbWorkLoop *known, LLVMValueRef phi) {
  NbAnalyses *analyses = work->context->analyses;
  NbScev *scev = nb_scev_of(analyses, work->function, phi), *first, *change = NULL;
  LLVMValueRef entry = LLVMGetBasicBlockTerminator(known->preheader);
  bool pointer = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind;
  LLVMTypeRef type = pointer ? count_type(work) : LLVMTypeOf(phi);
  if (scev && nb_scev_is_affine(analyses, scev, loop))
    first = nb_scev_step(analyses, scev, loop);
  else if (!nb_scev_triangle(analyses, phi, loop, &first, &change))
    return NULL;
  if (!nb_scev_safe_to_expand(analyses, first, entry) ||
      (change && !nb_scev_safe_to_expand(analyses, change, entry)))
    return NULL;
  LLVMValueRef step = nb_scev_expand(analyses, first, type, entry);
  if (!change)
    return grown_evenly(builder, known, step);
  LLVMValueRef bend = nb_scev_expand(analyses, change, type, entry);
  return grown_as_triangle(work, builder, known, step, bend);
}

static LLVMValueRef rewritten(NbWork *work, NbLoop *loop, const NbWorkLoop *known,
                              LLVMValueRef phi) {
  LLVMBuilderRef builder = builder_before(work, nb_work_first_after_phis(known->header));
  LLVMValueRef distance = distance_of(work, builder, loop, known, phi);
  LLVMValueRef value = distance ? moved_from_start(work, builder, known, phi, distance) : NULL;
  LLVMDisposeBuilder(builder);
  NbScev *scev = nb_scev_of(work->context->analyses, work->function, phi);
  if (value && LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMPointerTypeKind)
    note_least(work, scev, value);
  return value;
}

/* To be called for inner loops first: what is written for a loop stands right behind the phis of
 * its header, before all that was expanded there in terms of these. */
static Rewrite *expand_recurrences(NbWork *work, NbLoop *loop, NbWorkLoop *known, Rewrite *list) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(known->header); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    LLVMValueRef value = NULL;
    if (phi != known->counter && is_countable(phi))
      value = rewritten(work, loop, known, phi);
    if (!value && phi != known->counter && work->request->mode == NB_MODE_REVERSE)
      value = nb_prepare_load_carried(work, loop, known, phi);
    if (!value)
      continue;
    Rewrite *rewrite = NB_NEW(work->context->arena, Rewrite);
    *rewrite = (Rewrite){phi, value, list};
    list = rewrite;
  }
  return list;
}

static void apply_rewrites(Rewrite *list) {
  for (Rewrite *rewrite = list; rewrite; rewrite = rewrite->next)
    LLVMReplaceAllUsesWith(rewrite->phi, rewrite->value);
  for (Rewrite *rewrite = list; rewrite; rewrite = rewrite->next)
    LLVMInstructionEraseFromParent(rewrite->phi);
}

/* --- Exits --------------------------------------------------------------------------------- */

/* A switch may have several edges to one block: a phi has an entry for each. */
static void add_incoming(LLVMValueRef phi, LLVMValueRef value, const NbWorkBlock *from) {
  LLVMBasicBlockRef block = from->block;
  LLVMBasicBlockRef target = LLVMGetInstructionParent(phi);
  LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
    if (LLVMGetSuccessor(last, i) == target)
      LLVMAddIncoming(phi, &value, &block, 1);
}

static LLVMValueRef exit_count(NbWork *work, NbWorkBlock *block, NbWorkLoop *loop) {
  LLVMTypeRef type = count_type(work);
  bool known = loop->trips != NULL;
  LLVMBuilderRef builder = builder_before(work, known ? nb_work_first_after_phis(block->block)
                                                      : LLVMGetFirstInstruction(block->block));
  LLVMValueRef count;
  if (known) {
    count = LLVMBuildSub(builder, loop->trips, LLVMConstInt(type, 1, false), "exit.count");
  } else {
    count = LLVMBuildPhi(builder, type, "exit.count");
    for (unsigned i = 0; i < block->count; i++)
      add_incoming(count, loop->counter, block->predecessors[i]);
  }
  LLVMDisposeBuilder(builder);
  return count;
}

static unsigned loops_left(const NbWorkBlock *block) {
  unsigned count = 0;
  if (block->count)
    for (NbWorkLoop *loop = block->predecessors[0]->loop;
         loop && !nb_work_loop_contains(loop, block->loop); loop = loop->parent)
      count++;
  return count;
}

static void insert_exits(NbWork *work, NbWorkBlock *block) {
  unsigned count = loops_left(block);
  if (!count)
    return;
  block->exit_loops = NB_NEW_ARRAY(work->context->arena, NbWorkLoop *, count);
  block->exit_counts = NB_NEW_ARRAY(work->context->arena, LLVMValueRef, count);
  block->exit_count = count;
  NbWorkLoop *loop = block->predecessors[0]->loop;
  for (unsigned i = count; i-- > 0; loop = loop->parent) {
    block->exit_loops[i] = loop;
    block->exit_counts[i] = exit_count(work, block, loop);
  }
}

/* --- Decisions ------------------------------------------------------------------------------ */

/* Which successor of `branch` leads to `block` through `predecessor` and no other? 2: unknown. */
static unsigned side_of(NbWork *work, LLVMValueRef branch, const NbWorkBlock *block,
                        const NbWorkBlock *predecessor) {
  LLVMBasicBlockRef from = LLVMGetInstructionParent(branch);
  for (unsigned side = 0; side < 2; side++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(branch, side);
    bool direct = predecessor->block == from && to == block->block;
    bool through = predecessor->block != from &&
                   nb_edge_dominates(work->context->analyses, from, to, predecessor->block);
    if (direct || through)
      return side;
  }
  return 2;
}

/* The two arms of a branch: its condition is the decision. */
static bool decide_by_condition(NbWork *work, NbWorkBlock *block) {
  LLVMBasicBlockRef above = nb_block_idom(work->context->analyses, block->block);
  if (block->count != 2 || !above || nb_work_block(work, above)->loop != block->loop)
    return false;
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
  if (LLVMGetInstructionOpcode(branch) != LLVMBr || !LLVMIsConditional(branch) ||
      LLVMGetSuccessor(branch, 0) == LLVMGetSuccessor(branch, 1) ||
      nb_unwind_is_condition(work, LLVMGetCondition(branch)))
    return false;
  unsigned first = side_of(work, branch, block, block->predecessors[0]);
  unsigned second = side_of(work, branch, block, block->predecessors[1]);
  if (first + second != 1)
    return false;
  block->decision = LLVMGetCondition(branch);
  block->cases[0] = first == 0;
  block->cases[1] = second == 0;
  return true;
}

static LLVMTypeRef decision_type(const NbWork *work, unsigned count) {
  LLVMContextRef llvm = work->context->llvm;
  if (count <= 2)
    return LLVMInt1TypeInContext(llvm);
  return count <= 256 ? LLVMInt8TypeInContext(llvm) : LLVMInt32TypeInContext(llvm);
}

static void decide_by_predecessor(NbWork *work, NbWorkBlock *block) {
  LLVMTypeRef type = decision_type(work, block->count);
  LLVMBuilderRef builder = builder_before(work, LLVMGetFirstInstruction(block->block));
  block->decision = LLVMBuildPhi(builder, type, "decision");
  for (unsigned i = 0; i < block->count; i++) {
    LLVMValueRef value = LLVMConstInt(type, i, false);
    block->cases[i] = i;
    add_incoming(block->decision, value, block->predecessors[i]);
  }
  LLVMDisposeBuilder(builder);
}

bool nb_work_is_frame_array(const NbWork *work, LLVMValueRef value) {
  return LLVMIsAAllocaInst(value) && LLVMIsConstant(LLVMGetOperand(value, 0)) &&
         LLVMGetInstructionParent(value) == LLVMGetEntryBasicBlock(work->function);
}

bool nb_work_is_header(const NbWorkBlock *block) {
  return block->loop && block->loop->header == block->block;
}

static void insert_decision(NbWork *work, NbWorkBlock *block) {
  if (block->count < 2 || !block->returns || nb_work_is_header(block))
    return;
  block->cases = NB_NEW_ARRAY(work->context->arena, uint64_t, block->count);
  if (!decide_by_condition(work, block))
    decide_by_predecessor(work, block);
}

/* --- All together --------------------------------------------------------------------------- */

static void reverse_flow(NbWork *work) {
  for (unsigned i = 0; i < work->block_count; i++) {
    if (!work->blocks[i].returns)
      continue;
    insert_exits(work, &work->blocks[i]);
    insert_decision(work, &work->blocks[i]);
  }
}

void nb_prepare_flow(NbWork *work) {
  NbAnalyses *analyses = work->context->analyses;
  nb_analyses_forget(analyses, work->function);
  find_blocks(work);
  NbLoop **loops = find_loops(work);
  for (unsigned i = 0; i < work->loop_count; i++)
    insert_counter(work, &work->loops[i]);
  Rewrite *rewrites = NULL;
  for (unsigned i = 0; i < work->loop_count; i++)
    insert_trips(work, loops[i], &work->loops[i]);
  for (unsigned i = work->loop_count; i-- > 0;)
    rewrites = expand_recurrences(work, loops[i], &work->loops[i], rewrites);
  apply_rewrites(rewrites);
  if (work->request->mode == NB_MODE_REVERSE)
    reverse_flow(work);
  nb_analyses_forget(analyses, work->function);
}

NbWorkBlock *nb_work_block(const NbWork *work, LLVMBasicBlockRef block) {
  return nb_map_get(work->block_of, block);
}

NbWorkBlock *nb_work_block_of(const NbWork *work, LLVMValueRef instruction) {
  return nb_work_block(work, LLVMGetInstructionParent(instruction));
}

bool nb_work_loop_contains(const NbWorkLoop *outer, const NbWorkLoop *inner) {
  if (!outer)
    return true;
  while (inner && inner != outer)
    inner = inner->parent;
  return inner == outer;
}

unsigned nb_work_predecessor(const NbWorkBlock *block, const NbWorkBlock *predecessor) {
  unsigned index = 0;
  while (block->predecessors[index] != predecessor)
    index++;
  return index;
}

bool nb_work_is_innermost(const NbWork *work, const NbWorkLoop *loop) {
  for (unsigned i = 0; i < work->loop_count; i++)
    if (work->loops[i].parent == loop)
      return false;
  return true;
}

bool nb_work_is_left_at_end(const NbWork *work, const NbWorkLoop *loop) {
  for (unsigned i = 0; i < work->block_count; i++) {
    const NbWorkBlock *block = &work->blocks[i];
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block->block);
    if (block->loop != loop || block->block == loop->latch)
      continue;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++)
      if (nb_work_block(work, LLVMGetSuccessor(last, s))->loop != loop)
        return false;
  }
  return true;
}

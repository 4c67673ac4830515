// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Several loops in a row read an object, in whatever order, before it is overwritten: each would
 * keep what it reads. One copy of the object serves all of them. It is made where the first of them
 * begins, in each iteration of the loop around them.
 *
 * The object is one that the function itself allocates, so that every byte of it can be read. That
 * the copy is no larger than the values is known where one of the loops goes through the object
 * from end to end. A loop that overwrites each element behind its reading it, and reads no other,
 * sees what was there before it began, and so may be the last of them. */
#include "plan/copy.h"
#include "plan/extent.h"

#include <stdlib.h>

typedef struct Read {
  LLVMValueRef load;
  const NbWorkLoop *top; /* the outermost loop in which it sees what was there before the loop */
} Read;

typedef struct Object {
  LLVMValueRef call; /* that allocates it */
  const NbRule *rule;
  const NbWorkLoop *around; /* the loop around all `top`; NULL: the function */
  NbList reads;
  LLVMBasicBlockRef site; /* at the end of which the copy is made */
} Object;

/* Steps through the control flow that are taken at most in one function. */
enum { BUDGET = 1 << 22 };

typedef struct Whole {
  const NbPlan *plan;
  NbLinear *linear;
  NbWork *work;
  NbList objects;
  unsigned *budget;
} Whole;

/* --- Control flow ------------------------------------------------------------------------------
 */

/* May control go on from the end of `from` to `to`, without coming into `past` (NULL: any)? */
static bool reaches(const Whole *whole, LLVMBasicBlockRef from, LLVMBasicBlockRef to,
                    LLVMBasicBlockRef past) {
  NbMap *seen = nb_map_new(whole->work->context->arena);
  NbList pending = nb_list(whole->work->context->arena);
  nb_list_push(&pending, from);
  while (pending.count) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(pending.items[--pending.count]);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(last); s++) {
      LLVMBasicBlockRef next = LLVMGetSuccessor(last, s);
      if (next == past || nb_map_has(seen, next))
        continue;
      if (next == to || *whole->budget == 0)
        return true;
      --*whole->budget;
      nb_map_set(seen, next, next);
      nb_list_push(&pending, next);
    }
  }
  return false;
}

static const NbWorkLoop *loop_of(const Whole *whole, LLVMValueRef inst) {
  return nb_work_block_of(whole->work, inst)->loop;
}

/* --- Which loads -------------------------------------------------------------------------------
 */

typedef struct Question {
  const Whole *whole;
  const Object *object;
  const Read *read;
} Question;

static bool is_same_element(const Whole *whole, LLVMValueRef store, LLVMValueRef load) {
  const NbWork *work = whole->work;
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

/* Does the writer stand in the load's loop, and do more than to overwrite behind it, in each
 * iteration, what it read? */
static bool spoils_loop(const void *data, LLVMValueRef writer) {
  const Question *question = data;
  LLVMValueRef load = question->read->load;
  const NbWorkLoop *own = loop_of(question->whole, load);
  NbAnalyses *analyses = question->whole->work->context->analyses;
  if (!nb_work_loop_contains(own, loop_of(question->whole, writer)))
    return false;
  return !LLVMIsAStoreInst(writer) || loop_of(question->whole, writer) != own ||
         !nb_dominates(analyses, load, writer) || !is_same_element(question->whole, writer, load);
}

static bool is_before(const Whole *whole, LLVMValueRef call, const NbWorkLoop *loop) {
  return !nb_work_loop_contains(loop, loop_of(whole, call));
}

static void find_top(const Whole *whole, LLVMValueRef call, Read *read) {
  NbEffects *effects = whole->linear->effects;
  const NbWorkLoop *loop = loop_of(whole, read->load);
  Question question = {whole, NULL, read};
  while (loop && is_before(whole, call, loop) && nb_effects_lasts_in(effects, read->load, loop)) {
    read->top = loop;
    loop = loop->parent;
  }
  bool own = !read->top && loop && is_before(whole, call, loop);
  if (own && !nb_effects_changed_by(effects, read->load, spoils_loop, &question))
    read->top = loop;
}

static const NbRule *allocation_rule(const Whole *whole, LLVMValueRef call) {
  const NbRule *rule =
      LLVMIsACallInst(call) ? nb_rule_of_call(whole->work->context, call, NULL) : NULL;
  return rule && rule->kind == NB_RULE_ALLOCATE && rule->extent ? rule : NULL;
}

static Object *object_of(Whole *whole, LLVMValueRef call, const NbRule *rule,
                         const NbWorkLoop *around) {
  for (unsigned i = 0; i < whole->objects.count; i++) {
    Object *known = whole->objects.items[i];
    if (known->call == call && known->around == around)
      return known;
  }
  NbArena *arena = whole->work->context->arena;
  Object *object = NB_NEW(arena, Object);
  *object = (Object){.call = call, .rule = rule, .around = around, .reads = nb_list(arena)};
  nb_list_push(&whole->objects, object);
  return object;
}

static bool is_candidate(const Whole *whole, LLVMValueRef load) {
  return LLVMIsALoadInst(load) && loop_of(whole, load) &&
         nb_map_has(whole->linear->following, load) && nb_access_is_plain(load) &&
         !nb_type_has_pointer(LLVMTypeOf(load));
}

static void find_reads(Whole *whole) {
  for (unsigned i = 0; i < whole->plan->residuals.count; i++) {
    const NbSlot *slot = whole->plan->residuals.items[i];
    if (!slot->value || !is_candidate(whole, slot->value))
      continue;
    LLVMValueRef call = nb_copy_array(LLVMGetOperand(slot->value, 0));
    const NbRule *rule = call ? allocation_rule(whole, call) : NULL;
    if (!rule)
      continue;
    Read *read = NB_NEW(whole->work->context->arena, Read);
    *read = (Read){.load = slot->value};
    find_top(whole, call, read);
    if (read->top)
      nb_list_push(&object_of(whole, call, rule, read->top->parent)->reads, read);
  }
}

/* --- What the copy is good for -----------------------------------------------------------------
 */

/* Where the first loop begins. */
static void find_site(const Whole *whole, Object *object) {
  const NbWorkLoop *first = NULL;
  for (unsigned i = 0; i < object->reads.count; i++) {
    const NbWorkLoop *top = ((const Read *)object->reads.items[i])->top;
    if (!first || nb_work_block(whole->work, top->header)->index <
                      nb_work_block(whole->work, first->header)->index)
      first = top;
  }
  object->site = first->preheader;
}

/* Does the writer stand between the copy and the loop that reads? Or may it free the object before
 * the copy is made? */
static bool comes_between(const void *data, LLVMValueRef writer) {
  const Question *question = data;
  const Object *object = question->object;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(writer);
  LLVMBasicBlockRef start = LLVMGetInstructionParent(object->call);
  bool frees = !LLVMIsAStoreInst(writer) && !LLVMIsAMemCpyInst(writer) &&
               !LLVMIsAMemMoveInst(writer) && !LLVMIsAMemSetInst(writer) &&
               !allocation_rule(question->whole, writer);
  if (frees && (block == object->site || reaches(question->whole, block, object->site, start)))
    return true;
  if (nb_work_loop_contains(question->read->top, loop_of(question->whole, writer)))
    return false;
  LLVMBasicBlockRef past = object->around ? object->around->header : NULL;
  return reaches(question->whole, object->site, block, past) &&
         reaches(question->whole, block, question->read->top->header, past);
}

static bool sees_copy(const Whole *whole, const Object *object, const Read *read) {
  const Question question = {whole, object, read};
  NbAnalyses *analyses = whole->work->context->analyses;
  return nb_block_dominates(analyses, object->site, read->top->header) &&
         !nb_effects_changed_by(whole->linear->effects, read->load, comes_between, &question);
}

static void drop_others(const Whole *whole, Object *object) {
  NbList kept = nb_list(whole->work->context->arena);
  for (unsigned i = 0; i < object->reads.count; i++)
    if (sees_copy(whole, object, object->reads.items[i]))
      nb_list_push(&kept, object->reads.items[i]);
  object->reads = kept;
}

static NbScev *estimate(const Whole *whole, NbScev *scev) {
  return scev ? nb_scev_estimate(whole->work->context->analyses, whole->work->function, scev)
              : NULL;
}

/* Does the load go through all of the object, `bytes` long, while its loop runs once? */
static bool reads_all(const Whole *whole, const Object *object, const Read *read,
                      LLVMValueRef bytes) {
  NbAnalyses *analyses = whole->work->context->analyses;
  LLVMValueRef function = whole->work->function;
  const NbWorkLoop *own = loop_of(whole, read->load);
  const NbSpan *span = nb_span_of(whole->work, LLVMGetOperand(read->load, 0), object->call,
                                  LLVMGetInstructionParent(read->load), own);
  int64_t step, rest;
  if (!span || span->count != 1 || span->rounds[0]->count != 0 ||
      !nb_scev_is_constant(span->steps[0], &step) ||
      (uint64_t)llabs(step) != nb_store_size(whole->work->context, LLVMTypeOf(read->load)))
    return false;
  NbScev *way = estimate(whole, span->rounds[0]->start), *pace = estimate(whole, span->steps[0]);
  NbScev *size = estimate(whole, nb_scev_of(analyses, function, bytes));
  if (!way || !pace || !size)
    return false;
  way = nb_scev_times(analyses, function, way, pace);
  NbScev *gap = step > 0 ? nb_scev_minus(analyses, function, size, way)
                         : nb_scev_plus(analyses, function, size, way);
  return gap && nb_scev_is_constant(gap, &rest) && rest == llabs(step);
}

/* Was the condition decided in this way before control came to the block? */
static bool is_decided(const Whole *whole, LLVMBasicBlockRef block, LLVMValueRef condition,
                       unsigned side) {
  NbAnalyses *analyses = whole->work->context->analyses;
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

/* Does control come from `above`, the immediate dominator, to `below` whenever it has come through
 * `site`? Each loop in a row tests the same bound. */
static bool comes_to(const Whole *whole, LLVMBasicBlockRef above, LLVMBasicBlockRef below,
                     LLVMBasicBlockRef site) {
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(above);
  if (nb_block_postdominates(whole->work->context->analyses, below, above))
    return true;
  if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch))
    return false;
  unsigned side = LLVMGetSuccessor(branch, 0) == below ? 0 : 1;
  return LLVMGetSuccessor(branch, side) == below &&
         is_decided(whole, site, LLVMGetCondition(branch), side);
}

/* Does the load run in each iteration of its loop, and that loop once the copy has been made? */
static bool is_sure(const Whole *whole, const Object *object, const Read *read) {
  NbAnalyses *analyses = whole->work->context->analyses;
  const NbWorkLoop *own = loop_of(whole, read->load);
  if (own != read->top || !nb_work_is_left_at_end(whole->work, own) ||
      !nb_block_dominates(analyses, LLVMGetInstructionParent(read->load), own->latch))
    return false;
  LLVMBasicBlockRef below = own->header;
  while (below != object->site) {
    LLVMBasicBlockRef above = nb_block_idom(analyses, below);
    if (!above || !comes_to(whole, above, below, object->site))
      return false;
    below = above;
  }
  return true;
}

static bool is_worthwhile(const Whole *whole, const Object *object, LLVMValueRef bytes) {
  for (unsigned i = 0; i < object->reads.count && object->reads.count > 1; i++)
    if (is_sure(whole, object, object->reads.items[i]) &&
        reads_all(whole, object, object->reads.items[i], bytes))
      return true;
  return false;
}

/* --- The copy ----------------------------------------------------------------------------------
 */

static unsigned alignment_of(LLVMValueRef load) {
  unsigned align = LLVMGetAlignment(load);
  return align < NB_TAPE_ALIGNMENT ? align : NB_TAPE_ALIGNMENT;
}

static bool copy_object(const Whole *whole, Object *object) {
  find_site(whole, object);
  drop_others(whole, object);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(whole->work->context->llvm);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(object->call));
  LLVMValueRef bytes = nb_linear_allocated(whole->linear, builder, object->call, object->rule);
  bool worthwhile = is_worthwhile(whole, object, bytes);
  if (worthwhile) {
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(object->site));
    LLVMValueRef copy = nb_copy_allocate(whole->linear, builder, bytes);
    LLVMBuildMemCpy(builder, copy, 1, object->call, 1, bytes);
    for (unsigned i = 0; i < object->reads.count; i++) {
      LLVMValueRef load = ((const Read *)object->reads.items[i])->load;
      nb_copy_read(whole->linear, load, copy, alignment_of(load));
    }
  }
  LLVMDisposeBuilder(builder);
  return worthwhile;
}

bool nb_copy_objects(const NbPlan *plan) {
  NbWork *work = plan->linear->work;
  unsigned budget = BUDGET;
  Whole whole = {plan, plan->linear, work, nb_list(work->context->arena), &budget};
  bool any = false;
  find_reads(&whole);
  for (unsigned i = 0; i < whole.objects.count; i++) {
    Object *object = whole.objects.items[i];
    any = (object->reads.count > 1 && copy_object(&whole, object)) || any;
  }
  return any;
}
